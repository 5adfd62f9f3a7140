package dev.execserver.protocol.rpc;

/** One message of the protocol. There are no batches: a top-level array is malformed. */
public sealed interface JsonRpcMessage permits Request, Notification, Response, ErrorResponse {}
