package dev.execserver.server.cli;

import java.io.IOException;

/** Tells an output that nobody reads any more (EPIPE) from one that cannot be written for another reason. Stateless. */
public final class BrokenPipe {
    /** EPIPE in the words of the JDK, which does not tell the number. */
    private static final String TEXT = "Broken pipe";

    private BrokenPipe() {}

    /** Returns true if the reader of a pipe has gone; a program that writes into the pipe itself would get SIGPIPE. */
    public static boolean is(IOException failure) {
        return TEXT.equals(failure.getMessage());
    }
}
