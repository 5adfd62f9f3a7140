/**
 * The part of gRPC that servers need for calls with one request message: frames of messages, deadlines, cancellation and status, on Helidon's
 * HTTP/2.
 *
 * <p>Start at {@link dev.execserver.server.transport.grpc.GrpcConnections}. Each call runs on the thread of its stream; the connection's
 * thread reads frames and tells it of a reset. The lock of {@link dev.execserver.server.transport.grpc.StreamOutput} is shared by the
 * calls of a connection.
 */
package dev.execserver.server.transport.grpc;
