package dev.execserver.cli;

import java.io.IOException;

/** Recognises the write error of an output that nobody reads any more (EPIPE). Stateless. */
public final class BrokenPipe {
    /** Text of EPIPE in the JDK, which does not give the number. */
    private static final String TEXT = "Broken pipe";

    private BrokenPipe() {}

    /** Returns true if the reader of a pipe has gone. A program that writes into the pipe itself would get SIGPIPE. */
    public static boolean is(IOException failure) {
        return TEXT.equals(failure.getMessage());
    }
}
