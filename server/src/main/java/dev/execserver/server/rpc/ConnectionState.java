package dev.execserver.server.rpc;

/** State that belongs to one connection and ends with it. */
public interface ConnectionState {

    /** Called once, by the connection's reader thread, when the connection has ended. Must not wait. */
    void connectionEnded();
}
