package dev.execserver.server.process.output;

/**
 * One attachment of a connection to a session; knows if the client reads. The real client reads each of its processes
 * as soon as it has resumed; a client that only takes pushed events reads none. Any thread; no locks.
 */
public final class AttachmentReads {

    private volatile boolean reading;

    /** Records that the client has sent a read of any process. */
    public void readAsked() {
        reading = true;
    }

    boolean reading() {
        return reading;
    }
}
