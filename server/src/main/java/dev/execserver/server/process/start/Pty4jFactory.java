package dev.execserver.server.process.start;

import com.pty4j.unix.Pty;
import dev.execserver.sandbox.io.Poller;
import dev.execserver.sandbox.io.PtyFactory;
import dev.execserver.sandbox.io.PtyPair;
import dev.execserver.sandbox.linux.Errno;
import dev.execserver.sandbox.linux.Fd;
import dev.execserver.sandbox.linux.FileCalls;
import dev.execserver.sandbox.linux.LinuxException;
import java.io.IOException;
import java.nio.file.Path;

/**
 * Pseudo terminals from the pty4j library, which supports more systems than our own factory.
 *
 * <p>Takes only the pair of descriptors from the library. The library's streams pin virtual threads, and its close
 * races with its own exit watcher: a wake-up byte can land in another terminal. So the master is duplicated and the
 * library's object is closed at once. Any thread; stateless.
 */
public final class Pty4jFactory implements PtyFactory {

    /** Lowest number of duplicates, above the numbers that a spawn moves around. */
    private static final int LOWEST_FD = 16;

    private final Poller poller;

    /**
     * Loads the library now. It unpacks native code into files and loads them, by default in the user's cache and the
     * folder for temporary files. A command could exchange the files there before they are loaded.
     *
     * @param privateFolder a folder that no sandboxed command can write to
     * @throws LinuxException if no terminal can be opened
     */
    public Pty4jFactory(Poller poller, Path privateFolder) {
        this.poller = poller;
        System.setProperty("jna.tmpdir", privateFolder.toString());
        System.setProperty("pty4j.tmpdir", privateFolder.toString());
        close(make());
    }

    @Override
    public PtyPair open(int rows, int columns) {
        Pty pty = make();
        Fd master;
        String slave;
        try {
            slave = pty.getSlaveName();
            master = FileCalls.duplicate(pty.getMasterFD(), LOWEST_FD);
        } finally {
            close(pty);
        }
        try {
            FileCalls.makeNonBlocking(master.number());
            return PtyPair.prepared(poller, master, slave, rows, columns);
        } catch (RuntimeException e) {
            master.close();
            throw e;
        }
    }

    private static Pty make() {
        try {
            return new Pty();
        } catch (IOException e) {
            // the library reports no errno; the only reasons are a lack of terminals or of descriptors
            throw new LinuxException("openpty (pty4j: " + e.getMessage() + ")", "/dev/ptmx", Errno.EAGAIN);
        }
    }

    private static void close(Pty pty) {
        try {
            pty.close();
        } catch (IOException e) {
            throw new LinuxException("close (pty4j: " + e.getMessage() + ")", "/dev/ptmx", Errno.EIO);
        }
    }
}
