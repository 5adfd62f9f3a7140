package dev.execserver.helper.fs;

import dev.execserver.protocol.rpc.RpcException;
import dev.execserver.sandbox.linux.ContentCalls;
import dev.execserver.sandbox.linux.DirectoryCalls;
import dev.execserver.sandbox.linux.Errno;
import dev.execserver.sandbox.linux.Fd;
import dev.execserver.sandbox.linux.FileCalls;
import dev.execserver.sandbox.linux.FileStatus;
import dev.execserver.sandbox.linux.LinuxException;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.OptionalInt;

/**
 * A new file that takes the place of another one in a single step, with the mode and owner of the old one: readers see the
 * old content or the new, also after a crash. Until {@link #commit()} it has a name of its own in the same directory; closed
 * without that, it leaves nothing behind. Extended attributes are not kept. One thread.
 */
public final class AtomicFile implements AutoCloseable {

    private static final SecureRandom RANDOM = new SecureRandom();
    private static final int NEW = FileCalls.O_WRONLY | FileCalls.O_CREAT | FileCalls.O_EXCL;

    private final Target target;
    private final byte[] temporaryName;
    private final Fd fd;
    private final OptionalInt mode;
    private boolean committed;

    private AtomicFile(Target target, OptionalInt mode, byte[] temporaryName, Fd fd) {
        this.target = target;
        this.mode = mode;
        this.temporaryName = temporaryName;
        this.fd = fd;
    }

    /**
     * Begins a file at a path; a link at its end is followed or refused as asked.
     *
     * @throws RpcException -32004 when the directory does not exist, -32603 when a directory is in the place
     */
    public static AtomicFile at(byte[] path, boolean followSymlinks) {
        try {
            Target target = Target.of(path, followSymlinks);
            try {
                return at(target, OptionalInt.empty());
            } catch (RuntimeException e) {
                target.close();
                throw e;
            }
        } catch (LinuxException e) {
            throw FileErrors.of(e, Paths.display(path));
        }
    }

    /**
     * Takes the target over.
     *
     * @param newMode instead of that of the old file
     */
    static AtomicFile at(Target target, OptionalInt newMode) {
        byte[] random = new byte[8];
        RANDOM.nextBytes(random);
        byte[] name = (".exec-server-" + HexFormat.of().formatHex(random) + ".tmp").getBytes(StandardCharsets.US_ASCII);
        // Nobody may read the new content who could not read the old one.
        boolean changes = newMode.isPresent() || target.status().isPresent();
        int mode = changes ? RegularFile.PRIVATE_FILE : RegularFile.NEW_FILE;
        return new AtomicFile(target, newMode, name, Opener.below(target.directory(), name, NEW, mode));
    }

    /** Appends to the new file. */
    public void write(byte[] from, int offset, int length) {
        try {
            ContentCalls.append(fd, from, offset, length);
        } catch (LinuxException e) {
            throw FileErrors.of(e);
        }
    }

    /** Puts the file into its place; it is on the disk then. */
    public void commit() {
        try {
            commit(0);
        } catch (LinuxException e) {
            throw FileErrors.of(e);
        }
    }

    /** As {@link #commit()}, but fails with EEXIST when something is in the place. */
    void commitNew() {
        commit(DirectoryCalls.RENAME_NOREPLACE);
    }

    private void commit(int flags) {
        if (target.status().isPresent()) {
            keepOwnerAndMode(target.status().get());
        }
        mode.ifPresent(bits -> ContentCalls.changeMode(fd, bits));
        ContentCalls.sync(fd);
        DirectoryCalls.rename(target.directory(), temporaryName, target.directory(), target.name(), flags);
        committed = true;
        syncDirectory();
    }

    private void keepOwnerAndMode(FileStatus old) {
        FileStatus now = FileCalls.status(fd);
        if (now.user() != old.user() || now.group() != old.group()) {
            ContentCalls.changeOwner(fd, old.user(), old.group());
        }
        // After the owner, whose change takes the set-id bits away.
        ContentCalls.changeMode(fd, old.permissions());
    }

    private void syncDirectory() {
        try (Fd directory = Opener.open(
                target.directory().number(), Paths.HERE, FileCalls.O_RDONLY | FileCalls.O_DIRECTORY, 0, 0)) {
            ContentCalls.sync(directory);
        } catch (LinuxException e) {
            // A directory that may be written but not read; or a file system that has nothing to sync.
            if (e.errno() != Errno.EACCES && e.errno() != Errno.EINVAL) {
                throw e;
            }
        }
    }

    @Override
    public void close() {
        try {
            if (!committed) {
                DirectoryCalls.removeFile(target.directory(), temporaryName);
            }
        } catch (LinuxException e) {
            // Gone already; or the file system is: then nothing can be done about it.
        } finally {
            fd.close();
            target.close();
        }
    }
}
