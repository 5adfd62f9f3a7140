package dev.execserver.server.process;

/**
 * One attachment of a connection to a session, as far as its processes must know: whether the client reads. The real client
 * reads each of its processes as soon as it has resumed; a client that only listens reads none. Any thread; no locks.
 */
public final class Resume {

    private volatile boolean reading;

    /** The client has asked for a read of a process, whichever. */
    public void readAsked() {
        reading = true;
    }

    boolean reading() {
        return reading;
    }
}
