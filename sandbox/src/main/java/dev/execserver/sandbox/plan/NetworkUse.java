package dev.execserver.sandbox.plan;

/** Listener for sandboxed commands that can reach the network of the host, called before each start. Any thread. */
@FunctionalInterface
public interface NetworkUse {

    /** A listener that does nothing. */
    NetworkUse NONE = _ -> () -> {};

    /**
     * Reports that a command begins.
     *
     * @param mayOutlive true if processes of the command can outlive it, because it has no PID namespace of its own
     * @return called after the end, perhaps more than once
     */
    Runnable begin(boolean mayOutlive);
}
