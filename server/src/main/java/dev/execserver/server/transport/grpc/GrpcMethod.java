package dev.execserver.server.transport.grpc;

/** Work of one method. Any thread; may wait. */
@FunctionalInterface
public interface GrpcMethod {

    /**
     * Answers a call.
     *
     * @param request the message of the client
     * @throws GrpcException for a call that is refused or has failed
     */
    void answer(GrpcExchange call, byte[] request) throws InterruptedException;
}
