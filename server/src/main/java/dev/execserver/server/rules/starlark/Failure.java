package dev.execserver.server.rules.starlark;

/** Error of an operation or a function that does not know where it was called; the interpreter adds the place. */
public final class Failure extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public Failure(String message) {
        super(message, null, false, false);
    }
}
