package dev.execserver.protocol.rpc;

/** A message of the protocol. There are no batches: a top-level array is malformed. */
public sealed interface JsonRpcMessage permits Request, Notification, Response, ErrorResponse {}
