package dev.execserver.sandbox.bwrap;

import dev.execserver.sandbox.ledger.Ledger;
import dev.execserver.sandbox.linux.EntryCalls;
import dev.execserver.sandbox.linux.Errno;
import dev.execserver.sandbox.linux.Fd;
import dev.execserver.sandbox.linux.LinuxException;
import dev.execserver.sandbox.resolve.FileId;
import dev.execserver.sandbox.resolve.LinuxPath;

/**
 * A placeholder that commands of this server use, whichever server has made it. While there are users a shared flock(2) is
 * held on it. Used under the lock of {@link Placeholders}; its methods block.
 */
final class Placeholder {
    private static final System.Logger LOG = System.getLogger(Placeholder.class.getName());

    private final LinuxPath path;
    private final PlaceholderFile file;
    private final Ledger.Entry entry;
    private int users;
    private boolean held = true;

    /**
     * @param file with a shared lock
     * @param entry for the guardian
     */
    Placeholder(LinuxPath path, PlaceholderFile file, Ledger.Entry entry) {
        this.path = path;
        this.file = file;
        this.entry = entry;
    }

    LinuxPath path() {
        return path;
    }

    FileId id() {
        return file.id();
    }

    Fd fd() {
        return file.fd();
    }

    /** The guardian need not remove it any more. */
    void settled() {
        entry.close();
    }

    boolean unused() {
        return users == 0;
    }

    /** @throws Placeholders.ChangedException when somebody is just removing it */
    void use() {
        if (!held) {
            held = EntryCalls.tryLockShared(file.fd());
            if (!held || !present()) {
                throw PlaceholderFile.gone(path);
            }
        }
        users++;
    }

    /** Once it is known which object it is. */
    void letUserIn() {
        file.letUserIn(path);
    }

    void leave() {
        users--;
    }

    void leaveAll() {
        users = 0;
    }

    /** Whether it still has its name. */
    boolean present() {
        try {
            return PlaceholderFile.id(path).equals(file.id());
        } catch (LinuxException e) {
            if (e.errno() != Errno.ENOENT) {
                throw e;
            }
            return false;
        }
    }

    /**
     * Removes it, if no other server uses it and it is still what was made.
     *
     * @return false when another server uses it. Our own lock is gone then as well, so whoever is the last can remove it
     */
    boolean tryRemove() {
        held = false;
        if (!EntryCalls.tryLockExclusive(file.fd())) {
            return false;
        }
        try {
            PlaceholderFile.removeLocked(path, file.id());
        } catch (LinuxException e) {
            // Who has made it for a command that may not write there may do what this server may not.
            boolean expected = e.errno() == Errno.EACCES || e.errno() == Errno.EPERM;
            LOG.log(
                    expected ? System.Logger.Level.DEBUG : System.Logger.Level.WARNING,
                    "cannot remove {0}: {1}",
                    path,
                    e.getMessage());
        }
        file.leaveToUser(path);
        EntryCalls.unlock(file.fd()); // it may be somebody's now
        return true;
    }
}
