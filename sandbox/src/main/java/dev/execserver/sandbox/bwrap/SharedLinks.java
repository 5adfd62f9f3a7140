package dev.execserver.sandbox.bwrap;

import dev.execserver.sandbox.linux.ContentCalls;
import dev.execserver.sandbox.linux.EntryCalls;
import dev.execserver.sandbox.linux.Errno;
import dev.execserver.sandbox.linux.Fd;
import dev.execserver.sandbox.linux.FileCalls;
import dev.execserver.sandbox.linux.LinuxException;
import dev.execserver.sandbox.outcome.FilesChangedException;
import dev.execserver.sandbox.paths.CrossedLink;
import dev.execserver.sandbox.paths.LinuxPath;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.locks.LockSupport;

/**
 * Guarded links of all servers of a user: a file for each link in folders that the servers share and their commands cannot write. It
 * holds the target that the first of them has found, and each server has a shared lock on it while it guards the link. The locks end with
 * their servers. Any thread; touches files.
 */
public final class SharedLinks {
    /** Links of a server that is alone. */
    public static final SharedLinks NONE = new SharedLinks(List.of());

    private static final int FILE_MODE = 0600;
    private static final int FOLDER_MODE = 0700;
    /** Longest target that Linux allows is shorter. */
    private static final int MAX_BYTES = 8192;

    private static final int ATTEMPTS = 500;
    private static final long STEP_NANOS = Duration.ofMillis(2).toNanos();

    private final List<LinuxPath> folders;

    /** @param folders private folders of the user's servers; made when they are missing */
    public SharedLinks(List<LinuxPath> folders) {
        this.folders = List.copyOf(folders);
    }

    /** Locks of one link. */
    static final class Hold implements AutoCloseable {
        private final List<Locked> files = new ArrayList<>();

        private record Locked(LinuxPath path, Fd fd) {}

        @Override
        public void close() {
            for (Locked file : files) {
                try (Fd fd = file.fd()) {
                    if (EntryCalls.tryLockExclusive(fd)) {
                        EntryCalls.removeFile(file.path().bytes());
                    }
                } catch (LinuxException e) {
                    // Left for the next one, who finds no lock on it.
                }
            }
            files.clear();
        }
    }

    /** @throws FilesChangedException if a server guards the link with another target */
    Hold enter(CrossedLink link) {
        Hold hold = new Hold();
        try {
            for (LinuxPath folder : folders) {
                LinuxPath path = folder.child(name(link.path()));
                hold.files.add(new Hold.Locked(path, enter(folder, path, link)));
            }
            return hold;
        } catch (RuntimeException e) {
            hold.close();
            throw e;
        }
    }

    private static Fd enter(LinuxPath folder, LinuxPath path, CrossedLink link) {
        for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
            Fd fd = open(folder, path);
            boolean kept = false;
            try {
                if (EntryCalls.tryLockExclusive(fd)) {
                    ContentCalls.truncate(fd, 0);
                    ContentCalls.write(fd, link.target(), 0, link.target().length, 0);
                }
                // The exclusive lock becomes a shared one. Between the two another server may come first, so the target
                // is read in any case.
                if (EntryCalls.tryLockShared(fd) && isAt(fd, path)) {
                    if (!Arrays.equals(content(fd), link.target())) {
                        throw new FilesChangedException(
                                link.path() + " is being restored by another server, whose command has replaced it");
                    }
                    kept = true;
                    return fd;
                }
            } finally {
                if (!kept) {
                    fd.close();
                }
            }
            LockSupport.parkNanos(STEP_NANOS);
        }
        throw new FilesChangedException(path + " is locked by another process");
    }

    private static Fd open(LinuxPath folder, LinuxPath path) {
        int flags = FileCalls.O_RDWR | FileCalls.O_CREAT | FileCalls.O_NOFOLLOW;
        try {
            return FileCalls.open(path.bytes(), flags, FILE_MODE);
        } catch (LinuxException e) {
            if (e.errno() != Errno.ENOENT) {
                throw e;
            }
        }
        try {
            EntryCalls.makeDirectory(folder.bytes(), FOLDER_MODE);
        } catch (LinuxException e) {
            if (e.errno() != Errno.EEXIST) {
                throw e;
            }
        }
        return FileCalls.open(path.bytes(), flags, FILE_MODE);
    }

    /** Returns false if the file was removed by the one before. */
    private static boolean isAt(Fd fd, LinuxPath path) {
        try {
            return FileCalls.status(path.bytes(), false).sameFile(FileCalls.status(fd));
        } catch (LinuxException e) {
            return false;
        }
    }

    private static byte[] content(Fd fd) {
        byte[] content = new byte[MAX_BYTES];
        return Arrays.copyOf(content, ContentCalls.read(fd, content, 0, content.length, 0));
    }

    private static byte[] name(LinuxPath path) {
        try {
            byte[] digest = MessageDigest.getInstance("SHA-256").digest(path.bytes());
            return HexFormat.of().formatHex(digest).getBytes(StandardCharsets.US_ASCII);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java has SHA-256", e);
        }
    }
}
