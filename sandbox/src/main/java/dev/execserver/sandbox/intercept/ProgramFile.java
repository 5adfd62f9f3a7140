package dev.execserver.sandbox.intercept;

import dev.execserver.sandbox.linux.FileStatus;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/**
 * The file that an exec would run, behind all links.
 *
 * @param path absolute, without links, as the mounts of the task show it. A file that has no name any more, or never had one,
 *     ends with {@code  (deleted)}
 * @param status of the file
 * @param named false if the file has no name, such as a memfd
 * @param onHost true if this server sees the same file under the same path
 * @param kind of program
 * @param stable false if the task could make another file appear under the path that it has typed
 * @param trail the way from the path that it has typed
 */
@SuppressWarnings("ArrayRecordComponent") // paths are bytes; never compared
public record ProgramFile(
        byte[] path, FileStatus status, boolean named, boolean onHost, Kind kind, boolean stable, Trail trail) {
    /** The way in which the kernel runs a file, see execve(2). */
    public sealed interface Kind {
        /** Runs the file itself. */
        record Binary() implements Kind {}

        /** Runs another file, which reads this one. */
        record Script(byte[] interpreter, Optional<byte[]> argument) implements Kind {}

        /** Refuses the file, or runs a program that the administrator has registered (binfmt_misc). */
        record Unknown() implements Kind {}
    }

    /** Returns the path as text for messages. */
    public String text() {
        return new String(path, StandardCharsets.UTF_8);
    }
}
