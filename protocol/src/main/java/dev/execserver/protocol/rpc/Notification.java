package dev.execserver.protocol.rpc;

/**
 * A message without an answer.
 *
 * @param params {@link JsonSlice#NULL} when the member was absent
 */
public record Notification(String method, JsonSlice params) implements JsonRpcMessage {}
