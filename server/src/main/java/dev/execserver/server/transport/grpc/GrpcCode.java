package dev.execserver.server.transport.grpc;

/** Status of a call that has ended. */
public enum GrpcCode {
    OK(0),
    CANCELLED(1),
    INVALID_ARGUMENT(3),
    DEADLINE_EXCEEDED(4),
    NOT_FOUND(5),
    PERMISSION_DENIED(7),
    RESOURCE_EXHAUSTED(8),
    FAILED_PRECONDITION(9),
    UNIMPLEMENTED(12),
    INTERNAL(13),
    UNAVAILABLE(14),
    UNAUTHENTICATED(16);

    private final int number;

    GrpcCode(int number) {
        this.number = number;
    }

    int number() {
        return number;
    }
}
