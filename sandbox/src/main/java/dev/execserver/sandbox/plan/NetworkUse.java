package dev.execserver.sandbox.plan;

/** Is told of each sandboxed command that can reach the network of the host, before it starts. Any thread. */
@FunctionalInterface
public interface NetworkUse {

    /** Nobody wants to know. */
    NetworkUse NONE = _ -> () -> {};

    /**
     * A command begins.
     *
     * @param mayOutlive true when processes of the command can survive it, having no PID namespace of their own
     * @return called after the end, perhaps more than once
     */
    Runnable begin(boolean mayOutlive);
}
