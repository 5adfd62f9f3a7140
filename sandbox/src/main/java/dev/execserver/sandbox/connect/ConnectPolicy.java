package dev.execserver.sandbox.connect;

/** Decides about the connections that one command opens. Any number of threads. */
public interface ConnectPolicy {
    /** The decision about a connection. */
    sealed interface Answer {
        /** The connect fails with this error number, see errno(3). */
        record Refused(int errno) implements Answer {}

        /** The connection is led through a passage. */
        record Led(Passage passage) implements Answer {}
    }

    /**
     * Returns true if a connection to this port of the command's own loopback address may be led outside when nothing listens there
     * inside. Does not wait.
     */
    boolean leadsOut(int port);

    /** Returns what finds the servers that the command itself runs. */
    InnerListeners inner();

    /**
     * Decides. Runs on a virtual thread of its own and may wait as long as it wants; the task waits too. An exception denies. The
     * thread is interrupted when the task does not wait any more.
     */
    Answer decide(ConnectRequest request) throws InterruptedException;
}
