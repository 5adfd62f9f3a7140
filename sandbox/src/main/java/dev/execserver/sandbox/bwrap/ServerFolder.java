package dev.execserver.sandbox.bwrap;

import dev.execserver.sandbox.ledger.Ledger;
import dev.execserver.sandbox.linux.EntryCalls;
import dev.execserver.sandbox.linux.Errno;
import dev.execserver.sandbox.linux.Fd;
import dev.execserver.sandbox.linux.FileCalls;
import dev.execserver.sandbox.linux.LinuxException;
import dev.execserver.sandbox.outcome.FilesChangedException;
import dev.execserver.sandbox.paths.LinuxPath;
import dev.execserver.sandbox.paths.PolicyRefusedException;
import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The folder of one server for its files, below a folder that no command may write. It is open with an exclusive flock(2),
 * which tells other servers that its owner lives. It is in the {@link Ledger}, so that the guardian removes it. Any thread.
 * The lock guards the present folder and is held while a removed one is made again. Blocks.
 */
public final class ServerFolder implements AutoCloseable {
    private static final int PRIVATE = 0700;
    private static final int RANDOM_BYTES = 8;
    private static final SecureRandom RANDOM = new SecureRandom();

    private final ReentrantLock lock = new ReentrantLock();
    private final Ledger ledger;
    private final LinuxPath path;
    private Fd open;
    private Ledger.Entry entry;

    private ServerFolder(Ledger ledger, LinuxPath path) {
        this.ledger = ledger;
        this.path = path;
    }

    /**
     * Makes a folder with a unique name.
     *
     * @param parent exists, and no other user can write it
     * @param prefix prefix of the name
     * @throws LinuxException if it cannot be made
     */
    public static ServerFolder make(LinuxPath parent, String prefix, Ledger ledger) {
        while (true) {
            byte[] random = new byte[RANDOM_BYTES];
            RANDOM.nextBytes(random);
            ServerFolder made = new ServerFolder(
                    ledger, LinuxPath.of(parent + "/" + prefix + HexFormat.of().formatHex(random)));
            if (made.create()) {
                return made;
            }
        }
    }

    /**
     * Makes the folder. Returns false if a starting server has removed it, because it took it for the folder of a dead
     * server.
     */
    private boolean create() {
        Ledger.Entry intended = ledger.intend(Ledger.Kind.FOLDER, path.bytes())
                .orElseThrow(() -> new LinuxException("mkdirat", path.toString(), Errno.ENOENT));
        try {
            EntryCalls.makeDirectory(path.bytes(), PRIVATE);
            Fd made =
                    FileCalls.open(path.bytes(), FileCalls.O_RDONLY | FileCalls.O_DIRECTORY | FileCalls.O_NOFOLLOW, 0);
            intended.identify(FileCalls.status(made));
            if (EntryCalls.tryLockExclusive(made) && leadsTo(made)) {
                open = made;
                entry = intended;
                return true;
            }
            made.close();
        } catch (RuntimeException e) {
            intended.close();
            throw e;
        }
        intended.close();
        return false;
    }

    private boolean leadsTo(Fd directory) {
        try {
            return FileCalls.status(path.bytes(), false).sameFile(FileCalls.status(directory));
        } catch (LinuxException e) {
            if (e.errno() == Errno.ENOENT) {
                return false;
            }
            throw e;
        }
    }

    public LinuxPath path() {
        return path;
    }

    /**
     * Checks that the folder still exists, and makes it again if a clean-up program has removed it.
     *
     * @throws FilesChangedException if it was made again: earlier policies do not hide the new one
     * @throws PolicyRefusedException if another file has its name, or it cannot be made
     */
    void ensure() {
        lock.lock();
        try {
            if (leadsTo(open)) {
                return;
            }
            Fd lost = open;
            Ledger.Entry outdated = entry;
            makeAnew();
            outdated.close();
            lost.close();
        } finally {
            lock.unlock();
        }
        throw new FilesChangedException("the directory " + path + " of the server was removed; it was made anew");
    }

    /** Makes the folder again. An existing file of that name is not used, because a command may have made it. */
    private void makeAnew() {
        try {
            if (FileCalls.access(path.parent().bytes(), FileCalls.F_OK) == Errno.ENOENT) {
                EntryCalls.makeDirectory(path.parent().bytes(), PRIVATE);
            }
            if (!create()) {
                throw failure("another server has removed it");
            }
        } catch (LinuxException e) {
            throw failure(e.errno() == Errno.EEXIST ? "something else has its name" : e.getMessage());
        }
    }

    private PolicyRefusedException failure(String why) {
        return new PolicyRefusedException(
                "the directory " + path + " of the server was removed and cannot be made anew: " + why
                        + "; restart the server, see --state-dir");
    }

    /** Releases the folder without removing it; its maker removes it. */
    @Override
    public void close() {
        lock.lock();
        try {
            entry.close();
            open.close();
        } finally {
            lock.unlock();
        }
    }
}
