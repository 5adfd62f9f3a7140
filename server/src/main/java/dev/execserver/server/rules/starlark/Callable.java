package dev.execserver.server.rules.starlark;

/** Function that a program can call. */
public interface Callable {
    /** Returns the name that errors and {@code repr} tell. */
    String name();

    /**
     * Runs the function.
     *
     * @throws Failure when it does not take these arguments
     */
    Object call(Interpreter interpreter, Arguments arguments);
}
