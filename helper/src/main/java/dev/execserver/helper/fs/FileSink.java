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
 * New content for a file, which appears whole or not at all: it is written to a file beside the old one that then takes its
 * name. Mode, owner and access control list of the old one are kept; a hard link to it keeps the old content.
 *
 * <p>One thread at a time; whoever opened it closes it, and that discards what was not committed. Every call may block for
 * as long as the file system likes.
 */
public final class FileSink implements AutoCloseable {

    private final byte[] path;
    private final Target place;
    private final FileCondition condition;
    private final TemporaryFile temporary;
    private final NewContent content;

    private FileSink(byte[] path, Target place, FileCondition condition, TemporaryFile temporary) {
        this.path = path;
        this.place = place;
        this.condition = condition;
        this.temporary = temporary;
        this.content = new NewContent(temporary.fd(), path);
    }

    /**
     * The file is in place.
     *
     * @param created whether there was none before
     * @param tag a strong entity tag with its quotes
     */
    public record Stored(boolean created, String tag) {}

    /**
     * Begins; links at the end of the path are followed.
     *
     * @param condition must hold now and again when the file is put in place
     * @throws RpcException -32004 when there is no such directory, -32600 without permission, for anything but a regular
     *     file, and with {@code data.reason = "conflict"} when the condition does not hold
     */
    public static FileSink open(byte[] path, FileCondition condition) {
        try {
            Target place = Target.of(path, true);
            try {
                check(path, condition, place.status());
                place.status().filter(FileStatus::mountRoot).ifPresent(mounted -> refuseMount(path));
                int mode = place.status().isPresent() ? RegularFile.PRIVATE_FILE : RegularFile.NEW_FILE;
                return new FileSink(path, place, condition, TemporaryFile.create(place.directory(), mode));
            } catch (RuntimeException e) {
                place.close();
                throw e;
            }
        } catch (LinuxException e) {
            throw failure(path, e);
        }
    }

    /** A file that is mounted over its name cannot be replaced; now is better than when all of it has arrived. */
    private static void refuseMount(byte[] path) {
        SandboxPlaces.explanation(path).ifPresent(explained -> {
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
     * @throws RpcException for what the file system says, a full disk above all; the old file is as it was
     */
    public void write(byte[] from, int length) {
        content.append(from, length);
    }

    /** The open file that the content goes to, to be handed to another process. It stays this object's. */
    public Fd descriptor() {
        return temporary.fd();
    }

    /**
     * Puts the new content in place, when it is safe on the disk.
     *
     * @throws RpcException as {@link #write}, and with {@code data.reason} {@code "conflict"} when the condition does not
     *     hold any more, {@code "placeChanged"} when the path leads elsewhere by now; the old file is as it was
     */
    public Stored commit() {
        try {
            place.status().ifPresent(old -> temporary.takeOver(place, old));
            ContentCalls.sync(temporary.fd());
            try (Target now = Target.of(path, true)) {
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

    /** Whoever moves a directory away meanwhile takes the new file along, into what its writer may not even see. */
    private RpcException moved() {
        String display = Paths.display(path);
        return RpcException.invalidRequest("`" + display + "` leads to another place than when the write began")
                .withData("reason", "placeChanged")
                .withData("path", display);
    }

    /** Who asks for a state also gets it from others who write at the same moment. */
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
