package dev.execserver.server.process;

import com.pty4j.unix.Pty;
import dev.execserver.sandbox.linux.Errno;
import dev.execserver.sandbox.linux.Fd;
import dev.execserver.sandbox.linux.FileCalls;
import dev.execserver.sandbox.linux.LinuxException;
import dev.execserver.sandbox.spawn.Poller;
import dev.execserver.sandbox.spawn.PtyFactory;
import dev.execserver.sandbox.spawn.PtyPair;
import java.io.IOException;
import java.nio.file.Path;

/**
 * Pseudo terminals from the pty4j library, which knows more systems than our own factory.
 *
 * <p>Only the pair is taken from it. Its streams pin virtual threads, and its close races with its own exit watcher (a
 * wake-up byte can land in somebody else's terminal), so the master is duplicated and the library's object closed before
 * anything else can happen to it. Any thread; stateless.
 */
public final class Pty4jFactory implements PtyFactory {

    /** Duplicates get numbers above those that a spawn moves around. */
    private static final int LOWEST_FD = 16;

    private final Poller poller;

    /**
     * Loads the library now. It unpacks native code into files and loads those: into the user's cache and the folder for temporary
     * files by default, where a command could exchange them in between.
     *
     * @param privateFolder where no sandboxed command can write
     * @throws LinuxException when no terminal can be opened
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
            // the library gives no errno; running out of terminals or descriptors are the only reasons
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
