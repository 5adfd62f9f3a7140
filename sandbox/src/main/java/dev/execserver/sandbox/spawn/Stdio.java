package dev.execserver.sandbox.spawn;

import dev.execserver.sandbox.io.PtyPair;
import dev.execserver.sandbox.linux.Fd;
import java.util.Collections;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/** The kind of standard streams that a child gets. */
public sealed interface Stdio {
    /**
     * Separate pipes for output and error.
     *
     * @param stdin true for a pipe for input; else the child reads /dev/null
     */
    record Pipes(boolean stdin) implements Stdio {}

    /** One Unix stream socket for input and output, over which descriptors can be passed; a pipe for errors. */
    record Channel() implements Stdio {}

    /**
     * The streams of this process, for a child that takes its place.
     *
     * @param terminal true if this process has a controlling terminal. Then the child stays in its session and process group,
     *     where keys of the terminal reach it and the shell can stop it
     * @param ignoredSignals signals that this process ignores, for example after nohup(1), and that the child must ignore too
     */
    record Inherited(boolean terminal, List<Integer> ignoredSignals) implements Stdio {
        public Inherited {
            ignoredSignals = List.copyOf(ignoredSignals);
        }
    }

    /**
     * Returns true if the child runs on a terminal. Its streams are then a terminal of its own, or the terminal of this
     * process, whose session it shares.
     */
    default boolean onTerminal() {
        return switch (this) {
            case Terminal _ -> true;
            case Inherited(boolean terminal, List<Integer> _) -> terminal;
            case Pipes _, Channel _, Given _ -> false;
        };
    }

    /** Returns the lowest number that further descriptors of the child can have. */
    default int firstFree() {
        return this instanceof Given(SortedMap<Integer, Fd> descriptors) && !descriptors.isEmpty()
                ? Math.max(3, descriptors.lastKey() + 1)
                : 3;
    }

    /**
     * Descriptors of the caller, who keeps and closes them. Streams that are missing read and write /dev/null; other missing
     * numbers have what they have by chance, so the program must close them.
     *
     * @param descriptors under their numbers in the child; their own numbers are above those of all that the child gets
     */
    record Given(SortedMap<Integer, Fd> descriptors) implements Stdio {
        public Given {
            descriptors = Collections.unmodifiableSortedMap(new TreeMap<>(descriptors));
        }
    }

    /** The slave of this pair for all three streams. It becomes the controlling terminal of the child. */
    record Terminal(PtyPair pair) implements Stdio {}
}
