package dev.execserver.server.app;

/** Receiver of the output of a streamed command. */
@FunctionalInterface
interface CommandOutput {

    /**
     * Sends a piece of output. Returns when the next piece may follow.
     *
     * @param bytes not modified afterwards
     * @param capReached true if output of the stream was dropped; nothing of it follows
     */
    void send(boolean stdout, byte[] bytes, boolean capReached) throws InterruptedException;
}
