package dev.execserver.helper.fs;

import dev.execserver.protocol.rpc.RpcException;
import dev.execserver.sandbox.linux.ContentCalls;
import dev.execserver.sandbox.linux.Errno;
import dev.execserver.sandbox.linux.Fd;
import dev.execserver.sandbox.linux.FileCalls;
import dev.execserver.sandbox.linux.FileStatus;
import dev.execserver.sandbox.linux.LinuxException;
import java.util.Optional;

/**
 * New content for a file, which appears completely or not at all. It goes to a temporary file in the same directory,
 * which then takes the name of the old one. Mode, owner and access control list are kept; hard links to the old file
 * keep the old content.
 *
 * <p>One thread at a time. The opener closes it, which discards content that was not committed. Every call may block
 * for as long as the file system blocks.
 */
public final class FileReplacement implements AutoCloseable {

    private final byte[] path;
    private final ResolvedPlace place;
    private final FileCondition condition;
    private final TemporaryFile temporary;
    private final ContentAppender content;

    private FileReplacement(byte[] path, ResolvedPlace place, FileCondition condition, TemporaryFile temporary) {
        this.path = path;
        this.place = place;
        this.condition = condition;
        this.temporary = temporary;
        this.content = new ContentAppender(temporary.fd(), path);
    }

    /**
     * Result of a commit.
     *
     * @param created true if there was no file before
     * @param tag a strong entity tag with its quotes
     */
    public record Stored(boolean created, String tag) {}

    /**
     * Begins new content. Links at the end of the path are followed.
     *
     * @param condition must hold now, and again when the file is put in place
     * @throws RpcException -32004 when the directory does not exist; -32600 without permission, for anything but a
     *     regular file, and with {@code data.reason = "conflict"} when the condition does not hold
     */
    public static FileReplacement open(byte[] path, FileCondition condition) {
        try {
            ResolvedPlace place = ResolvedPlace.of(path, true);
            try {
                check(path, condition, place.status());
                place.status().filter(FileStatus::mountRoot).ifPresent(mounted -> refuseMount(path));
                int mode = place.status().isPresent() ? RegularFile.PRIVATE_FILE : RegularFile.NEW_FILE;
                return new FileReplacement(path, place, condition, TemporaryFile.create(place.directory(), mode));
            } catch (RuntimeException e) {
                place.close();
                throw e;
            }
        } catch (LinuxException e) {
            throw failure(path, e);
        }
    }

    /**
     * Refuses a file that is a mount point, because it cannot be replaced. Failing now saves the client the transfer.
     */
    private static void refuseMount(byte[] path) {
        ProtectedPlaces.explanation(path).ifPresent(explained -> {
            throw explained;
        });
        int errno = FileCalls.access(path, FileCalls.W_OK);
        throw new LinuxException("renameat2", Paths.display(path), errno == 0 ? Errno.EBUSY : errno);
    }

    private static void check(byte[] path, FileCondition condition, Optional<FileStatus> status) {
        if (!condition.holds(status.map(FileTag::of))) {
            throw conflict(path);
        }
    }

    private static RpcException conflict(byte[] path) {
        String display = Paths.display(path);
        return RpcException.invalidRequest("`" + display + "` is not in the state that the request asks for")
                .withData("reason", "conflict")
                .withData("path", display);
    }

    private static RpcException failure(byte[] path, LinuxException e) {
        return FileErrors.of(e, Paths.display(path));
    }

    /**
     * Appends to the new content.
     *
     * @throws RpcException for errors of the file system, such as a full disk; the old file is unchanged
     */
    public void write(byte[] from, int length) {
        content.append(from, length);
    }

    /**
     * Returns the open file that receives the content, so that it can be passed to another process. This object keeps
     * it.
     */
    public Fd descriptor() {
        return temporary.fd();
    }

    /**
     * Puts the new content in place after it was synced to the disk.
     *
     * @throws RpcException as {@link #write}; with {@code data.reason} {@code "conflict"} when the condition no longer
     *     holds, {@code "placeChanged"} when the path now leads to another place; the old file is unchanged
     */
    public Stored commit() {
        try {
            place.status().ifPresent(old -> temporary.takeOver(place, old));
            ContentCalls.sync(temporary.fd());
            try (ResolvedPlace now = ResolvedPlace.of(path, true)) {
                if (!now.samePlace(place)) {
                    throw moved();
                }
                check(path, condition, now.status());
                putInPlace(now.status());
                temporary.syncDirectory();
                return new Stored(now.status().isEmpty(), FileTag.of(temporary.status()));
            }
        } catch (LinuxException e) {
            throw failure(path, e);
        }
    }

    /**
     * Returns the error for a path that now leads elsewhere. If the directory was moved, committing would put the file
     * into a place that the writer may not even see.
     */
    private RpcException moved() {
        String display = Paths.display(path);
        return RpcException.invalidRequest("`" + display + "` leads to another place than when the write began")
                .withData("reason", "placeChanged")
                .withData("path", display);
    }

    /**
     * Puts the file in place. With a condition, RENAME_NOREPLACE or RENAME_EXCHANGE keeps concurrent writers from
     * breaking it.
     */
    private void putInPlace(Optional<FileStatus> before) {
        if (condition.equals(FileCondition.NONE)) {
            temporary.replace(place.name());
        } else if (before.isEmpty()
                ? !temporary.create(place.name())
                : !temporary.replace(place.name(), before.get())) {
            throw conflict(path);
        }
    }

    @Override
    public void close() {
        try {
            temporary.close();
        } catch (LinuxException e) {
            throw failure(path, e);
        } finally {
            place.close();
        }
    }
}
