package dev.execserver.cli.client;

/** Exit statuses of the client commands, besides those of the remote program. */
final class ClientStatus {
    static final int OK = 0;
    static final int FAILURE = 1;
    /** The server was told to kill a program, and does not say if it has ended. */
    static final int END_NOT_SEEN = 3;
    /** Status that a shell gives for a program that wrote to a closed pipe: 128 + SIGPIPE. */
    static final int BROKEN_PIPE = 141;
    /** No connection, or a lost one; the same as of ssh. */
    static final int NO_CONNECTION = 255;

    private ClientStatus() {}
}
