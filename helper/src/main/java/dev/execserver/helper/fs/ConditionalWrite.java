package dev.execserver.helper.fs;

import dev.execserver.protocol.fs.Expectation;
import dev.execserver.protocol.fs.WriteFileParams;
import dev.execserver.protocol.rpc.RpcException;
import dev.execserver.sandbox.linux.ContentCalls;
import dev.execserver.sandbox.linux.Errno;
import dev.execserver.sandbox.linux.Fd;
import dev.execserver.sandbox.linux.FileCalls;
import dev.execserver.sandbox.linux.FileStatus;
import dev.execserver.sandbox.linux.LinuxException;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.util.HexFormat;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * {@code fs/writeFile} with {@code atomic} or {@code expect}. Stateless.
 *
 * <p>A write with an expectation holds flock(2) on the directory from before its check until it is done. So when
 * several processes expect the same state, only one succeeds. Programs that do not take the lock can still write in
 * between.
 */
final class ConditionalWrite {

    private static final Duration LOCK_PAUSE = Duration.ofMillis(5);
    private static final int STEP = 128 * 1024;

    private ConditionalWrite() {}

    /** Writes with {@code atomic} and without an expectation. */
    static void replace(byte[] path, WriteFileParams params) {
        try (ResolvedPlace target = ResolvedPlace.of(path, params.followSymlinks())) {
            put(params, target);
        }
    }

    /** Writes with an expectation. Waits for the lock. */
    static void write(WriteFileParams params) {
        long deadline = System.nanoTime() + FileOperations.LOCK_LIMIT.toNanos();
        while (!tryWrite(params)) {
            if (System.nanoTime() - deadline > 0) {
                throw locked(params);
            }
            LockSupport.parkNanos(LOCK_PAUSE.toNanos());
        }
    }

    /** Writes if the lock of the directory is free. Returns false if another process holds it. */
    static boolean tryWrite(WriteFileParams params) {
        byte[] path = Paths.of(params.path());
        try (Fd lock = openDirectory(path, params.followSymlinks())) {
            if (!ContentCalls.tryLock(lock)) {
                return false;
            }
            WriteFile.check(params);
            try (ResolvedPlace target = ResolvedPlace.of(path, params.followSymlinks())) {
                check(params.expect().orElseThrow(), target, path);
                put(params, target);
            }
            return true;
        }
    }

    static RpcException locked(WriteFileParams params) {
        return RpcException.internal(
                        "another program holds a lock on the directory of `" + Paths.display(Paths.of(params.path()))
                                + "` for more than " + FileOperations.LOCK_LIMIT.toSeconds() + " s")
                .withData("reason", "locked");
    }

    private static void put(WriteFileParams params, ResolvedPlace target) {
        boolean fresh =
                params.expect().filter(Expectation.Absent.class::isInstance).isPresent();
        try {
            if (params.atomic()) {
                putAtomically(params, target, fresh);
            } else {
                putInPlace(params, target, fresh);
            }
        } catch (LinuxException e) {
            throw e.errno() == Errno.EEXIST && fresh
                    ? conflict("there is a file").withData("absent", false)
                    : e;
        }
    }

    private static void putAtomically(WriteFileParams params, ResolvedPlace target, boolean fresh) {
        try (AtomicFile file = AtomicFile.at(target, params.mode())) {
            WriteFile.forEachPiece(params.data(), file::write);
            if (fresh) {
                file.commitNew();
            } else {
                file.commit();
            }
        }
    }

    private static void putInPlace(WriteFileParams params, ResolvedPlace target, boolean fresh) {
        int exclusive = fresh ? FileCalls.O_EXCL : 0;
        int mode = params.mode().isPresent() ? RegularFile.PRIVATE_FILE : RegularFile.NEW_FILE;
        try (RegularFile file = Opener.writingBelow(target.directory(), target.name(), exclusive, mode)) {
            if (params.mode().isPresent()) {
                file.become(params.mode().getAsInt());
            } else {
                ContentCalls.truncate(file.fd(), 0);
            }
            WriteFile.fill(file, params);
        }
    }

    private static void check(Expectation expected, ResolvedPlace target, byte[] path) {
        Optional<FileStatus> status = target.status();
        switch (expected) {
            case Expectation.Absent() -> {
                if (status.isPresent()) {
                    throw conflict("there is a file").withData("absent", false);
                }
            }
            case Expectation.ModifiedAt(long milliseconds) -> {
                long actual = TimeUnit.NANOSECONDS.toMillis(require(status).modifiedNs());
                if (actual != milliseconds) {
                    throw conflict("it was modified at " + actual + ", not " + milliseconds)
                            .withData("mtimeMs", actual);
                }
            }
            case Expectation.Sha256(String hex) -> {
                require(status);
                String actual = sha256(target, path);
                if (!actual.equals(hex)) {
                    throw conflict("its SHA-256 is " + actual).withData("sha256", actual);
                }
            }
        }
    }

    private static FileStatus require(Optional<FileStatus> status) {
        return status.orElseThrow(() -> conflict("there is no file").withData("absent", true));
    }

    private static RpcException conflict(String found) {
        return RpcException.invalidRequest("file is not as expected: " + found).withData("reason", "conflict");
    }

    private static String sha256(ResolvedPlace target, byte[] path) {
        MessageDigest digest;
        try {
            digest = MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java has SHA-256", e);
        }
        try (RegularFile file = Opener.readingBelow(target.directory(), target.name(), path)) {
            byte[] step = new byte[STEP];
            long position = 0;
            int count;
            do {
                count = ContentCalls.read(file.fd(), step, 0, STEP, position);
                digest.update(step, 0, count);
                position += count;
                if (position > file.size() && file.grown()) {
                    throw conflict("it grows while it is read"); // perhaps faster than it can be read
                }
                file.checkUnsized(position);
            } while (count == STEP);
        }
        return HexFormat.of().formatHex(digest.digest());
    }

    /** Opens the directory of the file. A lock on this descriptor lasts as long as it is open. */
    private static Fd openDirectory(byte[] path, boolean followSymlinks) {
        try (ResolvedPlace target = ResolvedPlace.of(path, followSymlinks)) {
            return Opener.open(
                    target.directory().number(), Paths.HERE, FileCalls.O_RDONLY | FileCalls.O_DIRECTORY, 0, 0);
        }
    }
}
