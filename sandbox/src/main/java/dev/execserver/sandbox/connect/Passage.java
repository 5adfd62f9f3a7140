package dev.execserver.sandbox.connect;

/** An open way to a destination, for one connection from inside. Exactly one of both last methods is called. */
public interface Passage {
    /** Returns the port of 127.0.0.1 in the network of the command that leads to it. */
    int innerPort();

    /** Announces the connection: it will come from this port of 127.0.0.1. */
    void expect(int sourcePort);

    /** Tells that the announced connection, or any, will not come. Idempotent. */
    void cancel();
}
