package dev.execserver.helper.fs;

import dev.execserver.sandbox.linux.ContentCalls;
import dev.execserver.sandbox.linux.Errno;
import dev.execserver.sandbox.linux.FileCalls;
import dev.execserver.sandbox.linux.FileStatus;
import dev.execserver.sandbox.linux.LinuxException;
import java.util.OptionalInt;

/**
 * A new file that takes the place of another one in a single step, with mode, owner and access control list of the old
 * one: readers see the old content or the new, also after a crash. Closed without {@link #commit()} it leaves nothing
 * behind. Other extended attributes are not kept. One thread.
 */
final class AtomicFile implements AutoCloseable {

    private final Target target;
    private final TemporaryFile temporary;
    private final OptionalInt mode;

    private AtomicFile(Target target, TemporaryFile temporary, OptionalInt mode) {
        this.target = target;
        this.temporary = temporary;
        this.mode = mode;
    }

    /**
     * Begins a file; the target stays the caller's, and must stay open.
     *
     * @param newMode instead of that of the old file
     */
    static AtomicFile at(Target target, OptionalInt newMode) {
        // Nobody may read the new content who could not read the old one.
        boolean changes = newMode.isPresent() || target.status().isPresent();
        int mode = changes ? RegularFile.PRIVATE_FILE : RegularFile.NEW_FILE;
        return new AtomicFile(target, TemporaryFile.create(target.directory(), mode), newMode);
    }

    /** Appends to the new file. */
    void write(byte[] from, int offset, int length) {
        ContentCalls.append(temporary.fd(), from, offset, length);
    }

    /** Puts the file into its place; it is on the disk then. */
    void commit() {
        complete();
        temporary.replace(target.name());
        temporary.syncDirectory();
    }

    /** As {@link #commit()}, but fails with EEXIST when something is in the place. */
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
        // After the owner, whose change takes the set-id bits away.
        int permissions = AccessList.keep(target, temporary.fd(), old.permissions());
        ContentCalls.changeMode(temporary.fd(), permissions);
    }

    @Override
    public void close() {
        temporary.close();
    }
}
