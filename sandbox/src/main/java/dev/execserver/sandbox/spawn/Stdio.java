package dev.execserver.sandbox.spawn;

import java.util.List;

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

    /**
     * Those of this process, for a child that stands in its place.
     *
     * @param terminal whether this process has a controlling terminal: then the child stays in its session and its process
     *     group, where the keys of the terminal reach it and the shell can stop it
     * @param ignoredSignals numbers of signals that this process ignores, as nohup(1) asks for, and the child shall too
     */
    record Inherited(boolean terminal, List<Integer> ignoredSignals) implements Stdio {
        public Inherited {
            ignoredSignals = List.copyOf(ignoredSignals);
        }
    }

    /** Whether the child runs on a terminal, and shares its session with whoever started it. */
    default boolean onTerminal() {
        return switch (this) {
            case Terminal _ -> true;
            case Inherited(boolean terminal, List<Integer> _) -> terminal;
            case Pipes _, Channel _ -> false;
        };
    }

    /** All three are the slave of this pair, which becomes the controlling terminal of the child. */
    record Terminal(PtyPair pair) implements Stdio {}
}
