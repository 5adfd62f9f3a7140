package dev.execserver.server.transport.grpc;

/** Refusal of a call, with the text that its client gets. */
public final class GrpcException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final GrpcCode code;

    public GrpcException(GrpcCode code, String message) {
        super(message, null, false, false);
        this.code = code;
    }

    public GrpcCode code() {
        return code;
    }
}
