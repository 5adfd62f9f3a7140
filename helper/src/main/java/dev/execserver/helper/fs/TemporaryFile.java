package dev.execserver.helper.fs;

import dev.execserver.sandbox.linux.ContentCalls;
import dev.execserver.sandbox.linux.DirectoryCalls;
import dev.execserver.sandbox.linux.Errno;
import dev.execserver.sandbox.linux.Fd;
import dev.execserver.sandbox.linux.FileCalls;
import dev.execserver.sandbox.linux.FileStatus;
import dev.execserver.sandbox.linux.LinuxException;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.util.Optional;
import java.util.Set;

/**
 * A file without a name, in the directory where it will get one (O_TMPFILE, open(2)). If the file system does not
 * support that, it has a hidden name that begins with {@value #PREFIX}. One thread at a time.
 */
final class TemporaryFile implements AutoCloseable {

    /** Prefix of the names that a killed process may leave behind. */
    static final String PREFIX = ".exec-server-";

    private static final int FLAGS = FileCalls.O_WRONLY | FileCalls.O_NOCTTY;

    /** Errors of open(2) where O_TMPFILE is not supported. */
    private static final Set<Integer> NO_NAMELESS_FILES =
            Set.of(Errno.EOPNOTSUPP, Errno.EISDIR, Errno.EINVAL, Errno.ENOENT);

    private static final int KEEP = -1;
    private static final SecureRandom RANDOM = new SecureRandom();

    private final Fd directory;
    private final Fd fd;
    private Optional<byte[]> name;

    private TemporaryFile(Fd directory, Fd fd, Optional<byte[]> name) {
        this.directory = directory;
        this.fd = fd;
        this.name = name;
    }

    /**
     * Makes a temporary file.
     *
     * @param directory remains the caller's and must stay open
     */
    static TemporaryFile create(Fd directory, int mode) {
        Optional<Fd> nameless = NamelessFiles.CAN_BE_NAMED ? nameless(directory, mode) : Optional.empty();
        if (nameless.isPresent()) {
            return new TemporaryFile(directory, nameless.get(), Optional.empty());
        }
        byte[] name = freshName();
        Fd named = Opener.below(directory, name, FLAGS | FileCalls.O_CREAT | FileCalls.O_EXCL, mode);
        return new TemporaryFile(directory, named, Optional.of(name));
    }

    private static Optional<Fd> nameless(Fd directory, int mode) {
        try {
            int flags = FLAGS | FileCalls.O_TMPFILE;
            return Optional.of(
                    Opener.open(directory.number(), Paths.HERE, flags, mode, FileCalls.RESOLVE_NO_MAGICLINKS));
        } catch (LinuxException e) {
            if (!NO_NAMELESS_FILES.contains(e.errno())) {
                throw e;
            }
            return Optional.empty();
        }
    }

    /**
     * Holder of a check that runs once: a nameless file gets its name through /proc, which some sandboxes do not have.
     */
    private static final class NamelessFiles {
        static final boolean CAN_BE_NAMED = proc();

        private static boolean proc() {
            byte[] descriptors = "/proc/self/fd".getBytes(StandardCharsets.US_ASCII);
            try (Fd found = Opener.open(descriptors, FileCalls.O_PATH | FileCalls.O_DIRECTORY, 0, true)) {
                return found.number() >= 0;
            } catch (LinuxException e) {
                return false;
            }
        }
    }

    private static byte[] freshName() {
        return (PREFIX + Long.toHexString(RANDOM.nextLong())).getBytes(StandardCharsets.US_ASCII);
    }

    Fd fd() {
        return fd;
    }

    FileStatus status() {
        return FileCalls.status(fd);
    }

    /** Takes over mode, owner and access control list of a file. Drops the set-id bits if the owner cannot be kept. */
    void takeOver(ResolvedPlace target, FileStatus old) {
        FileStatus own = status();
        boolean sameUser = own.user() == old.user();
        boolean owned = (sameUser && own.group() == old.group())
                || changeOwner(old.user(), old.group())
                || (sameUser && changeOwner(KEEP, old.group()));
        int permissions = owned ? old.permissions() : old.permissions() & ~RegularFile.SET_ID_BITS;
        ContentCalls.changeMode(fd, AccessList.keep(target, fd, permissions));
    }

    /** Changes the owner. Returns false if that is not permitted, because only root may give files away. */
    private boolean changeOwner(int user, int group) {
        try {
            ContentCalls.changeOwner(fd, user, group);
            return true;
        } catch (LinuxException e) {
            if (e.errno() == Errno.EPERM || e.errno() == Errno.EINVAL) {
                return false;
            }
            throw e;
        }
    }

    /** Takes the name, and replaces the file that has it. */
    void replace(byte[] target) {
        DirectoryCalls.rename(directory, named(), directory, target, 0);
        name = Optional.empty();
    }

    /** Takes the name. Returns false if it is taken. */
    boolean create(byte[] target) {
        try {
            DirectoryCalls.rename(directory, named(), directory, target, DirectoryCalls.RENAME_NOREPLACE);
        } catch (LinuxException e) {
            if (e.errno() == Errno.EEXIST) {
                return false;
            }
            if (e.errno() != Errno.EINVAL) {
                throw e;
            }
            replace(target); // this file system does not support RENAME_NOREPLACE
        }
        name = Optional.empty();
        return true;
    }

    /**
     * Takes the name if the expected file has it, unchanged. Otherwise returns false; readers may then have seen the
     * new content for a moment.
     */
    boolean replace(byte[] target, FileStatus expected) {
        byte[] own = named();
        try {
            DirectoryCalls.rename(directory, own, directory, target, DirectoryCalls.RENAME_EXCHANGE);
        } catch (LinuxException e) {
            if (e.errno() == Errno.ENOENT) {
                return false;
            }
            if (e.errno() != Errno.EINVAL) {
                throw e;
            }
            replace(target); // this file system does not support RENAME_EXCHANGE
            return true;
        }
        // From here on the old file has the temporary name, and close() removes it.
        FileStatus old = FileCalls.statusAt(directory, own, false);
        boolean unchanged =
                old.sameFile(expected) && old.size() == expected.size() && old.modifiedNs() == expected.modifiedNs();
        if (!unchanged) {
            DirectoryCalls.rename(directory, own, directory, target, DirectoryCalls.RENAME_EXCHANGE);
        }
        return unchanged;
    }

    private byte[] named() {
        if (name.isEmpty()) {
            byte[] fresh = freshName();
            DirectoryCalls.nameOpenFile(fd, directory, fresh);
            name = Optional.of(fresh);
        }
        return name.get();
    }

    /** Makes a rename survive a power failure. Skips a directory that may not be read; the file system then decides. */
    void syncDirectory() {
        int flags = FileCalls.O_RDONLY | FileCalls.O_DIRECTORY;
        try (Fd readable = Opener.open(directory.number(), Paths.HERE, flags, 0, FileCalls.RESOLVE_NO_MAGICLINKS)) {
            ContentCalls.sync(readable);
        } catch (LinuxException e) {
            if (e.errno() != Errno.EACCES && e.errno() != Errno.EINVAL) {
                throw e;
            }
        }
    }

    /** Removes the file that has the temporary name, if any. */
    @Override
    public void close() {
        try {
            name.ifPresent(left -> DirectoryCalls.removeFile(directory, left));
        } catch (LinuxException e) {
            if (e.errno() != Errno.ENOENT) {
                throw e;
            }
        } finally {
            fd.close();
        }
    }
}
