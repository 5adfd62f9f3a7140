package dev.execserver.sandbox.spawn;

/** What the three standard streams of a child are. */
public sealed interface Stdio {
    /**
     * Separate pipes for output and error.
     *
     * @param stdin whether there is a pipe for input too; else the child reads /dev/null
     */
    record Pipes(boolean stdin) implements Stdio {}

    /** Input and output are one Unix stream socket, over which open files can be passed; errors go to a pipe. */
    record Channel() implements Stdio {}

    /** All three are the slave of this pair, which becomes the controlling terminal of the child. */
    record Terminal(PtyPair pair) implements Stdio {}
}
