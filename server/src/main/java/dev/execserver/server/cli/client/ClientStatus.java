package dev.execserver.server.cli.client;

/** Exit statuses of the client commands, beside those of the remote program. */
final class ClientStatus {
    static final int OK = 0;
    static final int FAILURE = 1;
    /** As a shell tells it of a program that wrote to a closed pipe: 128 + SIGPIPE. */
    static final int BROKEN_PIPE = 141;
    /** No connection, or no longer one; as with ssh. */
    static final int NO_CONNECTION = 255;

    private ClientStatus() {}
}
