package dev.execserver.server.rpc;

/** Something that lives exactly as long as its connection. */
public interface Belonging {

    /** The connection is over. Called once, by its reader thread; must not wait. */
    void connectionEnded();
}
