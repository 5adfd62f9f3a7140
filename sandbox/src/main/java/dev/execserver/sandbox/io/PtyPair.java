package dev.execserver.sandbox.io;

import dev.execserver.sandbox.linux.Fd;
import dev.execserver.sandbox.linux.TerminalAttributes;
import dev.execserver.sandbox.linux.TerminalCalls;
import dev.execserver.sandbox.linux.TerminalCalls.WindowSize;

/**
 * A pseudo terminal: the server's master end, and the path of the slave, which the child opens. The server never opens the
 * slave, because only then does the end of the last program end the master's stream. Any thread; no locks of its own.
 *
 * @param master read for output, written for input
 * @param slavePath for example {@code /dev/pts/3}
 */
public record PtyPair(AsyncFd master, String slavePath) implements AutoCloseable {
    /** Takes over a new master, which must be O_NONBLOCK. Sets the window size, and IUTF8, because input is UTF-8. */
    public static PtyPair prepared(Poller poller, Fd master, String slavePath, int rows, int columns) {
        TerminalCalls.setWindowSize(master.number(), size(rows, columns));
        TerminalCalls.setAttributesNow(
                master.number(), TerminalCalls.attributes(master.number()).utf8());
        return new PtyPair(AsyncFd.terminal(poller, master), slavePath);
    }

    /**
     * Sets the window size. If it changes, the kernel sends SIGWINCH to the foreground group, see ioctl_tty(2).
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

    /** Returns the present settings of the terminal, which its programs may change at any time. */
    public TerminalAttributes attributes() {
        return master.use(TerminalCalls::attributes);
    }

    /** Returns the process group in the foreground, which gets the input and the signals of keys; 0 if there is none. */
    public int foregroundGroup() {
        return master.use(TerminalCalls::foregroundGroup);
    }

    /** Closes the master. The kernel then sends SIGHUP to the session on the slave. */
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
