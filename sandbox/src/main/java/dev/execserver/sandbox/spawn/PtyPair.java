package dev.execserver.sandbox.spawn;

import dev.execserver.sandbox.linux.Fd;
import dev.execserver.sandbox.linux.TerminalAttributes;
import dev.execserver.sandbox.linux.TerminalCalls;
import dev.execserver.sandbox.linux.TerminalCalls.WindowSize;

/**
 * A pseudo terminal: our master end, and the path where the child opens the slave. The server itself never opens the slave:
 * only so does the end of the last program show as the end of the master's stream. Any thread; no locks of its own.
 *
 * @param master read for output, written for input
 * @param slavePath for example {@code /dev/pts/3}
 */
public record PtyPair(AsyncFd master, String slavePath) implements AutoCloseable {
    /**
     * Takes over a new master, which must be O_NONBLOCK, and prepares the terminal: its window size, and IUTF8, because what is
     * typed is UTF-8.
     */
    public static PtyPair prepared(Poller poller, Fd master, String slavePath, int rows, int columns) {
        TerminalCalls.setWindowSize(master.number(), size(rows, columns));
        TerminalCalls.setAttributesNow(
                master.number(), TerminalCalls.attributes(master.number()).utf8());
        return new PtyPair(AsyncFd.terminal(poller, master), slavePath);
    }

    /**
     * Sets the window size; when it changes the kernel sends SIGWINCH to the foreground group, see ioctl_tty(2).
     *
     * @param rows 0 to 65535
     * @param columns 0 to 65535
     */
    public void resize(int rows, int columns) {
        WindowSize size = size(rows, columns);
        master.use(fd -> {
            TerminalCalls.setWindowSize(fd, size);
            return fd;
        });
    }

    /** How the terminal treats what is typed at this moment: its programs may change that. */
    public TerminalAttributes attributes() {
        return master.use(TerminalCalls::attributes);
    }

    /** The process group in the foreground, which gets what is typed and the signals of keys; 0 without one. */
    public int foregroundGroup() {
        return master.use(TerminalCalls::foregroundGroup);
    }

    /** Closes the master: the kernel hangs the session on the slave up (SIGHUP). */
    @Override
    public void close() {
        master.close();
    }

    static WindowSize size(int rows, int columns) {
        checkCells(rows, "rows");
        checkCells(columns, "columns");
        return new WindowSize(rows, columns);
    }

    private static void checkCells(int cells, String name) {
        if (cells < 0 || cells > 0xffff) {
            throw new IllegalArgumentException(name + " must be 0 to 65535, not " + cells);
        }
    }
}
