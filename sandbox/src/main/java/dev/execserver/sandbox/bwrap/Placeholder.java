package dev.execserver.sandbox.bwrap;

import dev.execserver.sandbox.ledger.KeptFiles;
import dev.execserver.sandbox.ledger.Ledger;
import dev.execserver.sandbox.linux.EntryCalls;
import dev.execserver.sandbox.linux.Errno;
import dev.execserver.sandbox.linux.LinuxException;
import dev.execserver.sandbox.outcome.FilesChangedException;
import dev.execserver.sandbox.paths.FileId;
import dev.execserver.sandbox.paths.LinuxPath;

/**
 * A placeholder that commands of this server use, made by this or another server. While it has users, this server holds a
 * shared flock(2) on it, which lasts until its commands are dead also if the server is killed. Used under the lock of {@link Placeholders}; its methods block.
 */
final class Placeholder {
    private static final System.Logger LOG = System.getLogger(Placeholder.class.getName());

    private final PlaceholderFile file;
    private final Ledger.Entry entry;
    private final KeptFiles.Kept kept;
    private int users;
    private boolean held = true;

    /**
     * Takes over a placeholder without users yet.
     *
     * @param file with a shared lock
     * @param entry for the guardian
     * @param kept keeps the lock for the guardian
     */
    Placeholder(PlaceholderFile file, Ledger.Entry entry, KeptFiles.Kept kept) {
        this.file = file;
        this.entry = entry;
        this.kept = kept;
    }

    LinuxPath path() {
        return file.path();
    }

    FileId id() {
        return file.id();
    }

    PlaceholderFile file() {
        return file;
    }

    /** Removes the entry and the lock for the guardian. */
    void settled() {
        entry.close();
        kept.close();
    }

    boolean unused() {
        return users == 0;
    }

    /** @throws FilesChangedException if another server is just removing it */
    void use() {
        if (!held) {
            held = EntryCalls.tryLockShared(file.fd());
            if (!held || !present()) {
                throw PlaceholderFile.gone(path());
            }
        }
        users++;
    }

    /** Lets the user of the directory fill the placeholder. Call it after the ledger has its identity. */
    void letUserIn() {
        file.letUserIn();
    }

    void leave() {
        users--;
    }

    void leaveAll() {
        users = 0;
    }

    /** Returns true if its path still leads to the object, without a link. */
    boolean present() {
        return file.directory().at(path().parent()) && file.present();
    }

    /**
     * Removes it if no other server uses it and it is still the same empty object.
     *
     * @return false if another server uses it. Then this server gives up its lock too, so that the last user can remove it
     */
    boolean tryRemove() {
        held = false;
        if (!EntryCalls.tryLockExclusive(file.fd())) {
            return false;
        }
        try {
            file.removeLocked();
        } catch (LinuxException e) {
            // Another server with more rights may have made it, such as one of root, and this server cannot remove it.
            boolean expected = e.errno() == Errno.EACCES || e.errno() == Errno.EPERM;
            LOG.log(
                    expected ? System.Logger.Level.DEBUG : System.Logger.Level.WARNING,
                    "cannot remove {0}: {1}",
                    path(),
                    e.getMessage());
        }
        file.leaveToUser();
        EntryCalls.unlock(file.fd()); // it may belong to the user now
        return true;
    }
}
