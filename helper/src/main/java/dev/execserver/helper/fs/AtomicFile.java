package dev.execserver.helper.fs;

import dev.execserver.sandbox.linux.ContentCalls;
import dev.execserver.sandbox.linux.Errno;
import dev.execserver.sandbox.linux.FileCalls;
import dev.execserver.sandbox.linux.FileStatus;
import dev.execserver.sandbox.linux.LinuxException;
import java.util.OptionalInt;

/**
 * A new file that replaces another one in a single step and takes over its mode, owner and access control list. Readers
 * see the old content or the new, also after a crash. {@link #close()} without {@link #commit()} leaves nothing behind.
 * Other extended attributes are not kept. One thread.
 */
final class AtomicFile implements AutoCloseable {

    private final ResolvedPlace target;
    private final TemporaryFile temporary;
    private final OptionalInt mode;

    private AtomicFile(ResolvedPlace target, TemporaryFile temporary, OptionalInt mode) {
        this.target = target;
        this.temporary = temporary;
        this.mode = mode;
    }

    /**
     * Begins the new file. The caller keeps the target and must leave it open.
     *
     * @param newMode replaces the mode of the old file if present
     */
    static AtomicFile at(ResolvedPlace target, OptionalInt newMode) {
        // Users who could not read the old content must not be able to read the new one.
        boolean changes = newMode.isPresent() || target.status().isPresent();
        int mode = changes ? RegularFile.PRIVATE_FILE : RegularFile.NEW_FILE;
        return new AtomicFile(target, TemporaryFile.create(target.directory(), mode), newMode);
    }

    /** Appends to the new file. */
    void write(byte[] from, int offset, int length) {
        ContentCalls.append(temporary.fd(), from, offset, length);
    }

    /** Puts the file in place. It is on the disk when this returns. */
    void commit() {
        complete();
        temporary.replace(target.name());
        temporary.syncDirectory();
    }

    /** Does the same as {@link #commit()}, but fails with EEXIST when the name is taken. */
    void commitNew() {
        complete();
        if (!temporary.create(target.name())) {
            throw new LinuxException("renameat2", Paths.display(target.name()), Errno.EEXIST);
        }
        temporary.syncDirectory();
    }

    private void complete() {
        target.status().ifPresent(this::keepOwnerAndMode);
        mode.ifPresent(bits -> ContentCalls.changeMode(temporary.fd(), bits));
        ContentCalls.sync(temporary.fd());
    }

    private void keepOwnerAndMode(FileStatus old) {
        FileStatus now = FileCalls.status(temporary.fd());
        if (now.user() != old.user() || now.group() != old.group()) {
            ContentCalls.changeOwner(temporary.fd(), old.user(), old.group());
        }
        // Comes after the owner, because chown(2) clears the set-id bits.
        int permissions = AccessList.keep(target, temporary.fd(), old.permissions());
        ContentCalls.changeMode(temporary.fd(), permissions);
    }

    @Override
    public void close() {
        temporary.close();
    }
}
