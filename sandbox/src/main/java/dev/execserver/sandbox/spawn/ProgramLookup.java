package dev.execserver.sandbox.spawn;

import dev.execserver.sandbox.linux.Errno;
import dev.execserver.sandbox.linux.FileCalls;
import dev.execserver.sandbox.linux.LinuxException;
import java.io.ByteArrayOutputStream;
import java.util.Optional;

/**
 * Finds a program as execvp(3) does, with the environment and directory of the future child. Every method reads files,
 * perhaps on a network mount that does not answer. So call it on a bounded pool of platform threads, never on a virtual
 * thread. Stateless.
 */
@SuppressWarnings("ArrayRecordComponent") // paths are bytes; results are never compared
public final class ProgramLookup {
    /** The path that execvp of glibc uses if the environment has no PATH. */
    public static final String DEFAULT_PATH = "/bin:/usr/bin";

    private ProgramLookup() {}

    /** The result of a lookup. */
    public sealed interface Result {
        /**
         * A regular file that may be executed.
         *
         * @param path for {@link SpawnRequest#program()}; relative to the child's directory if the name or PATH element was
         * @param absolute the absolute form of the path; symbolic links are kept
         */
        record Found(byte[] path, byte[] absolute) implements Result {}

        /**
         * No such program.
         *
         * @param errno ENOENT; EACCES if a file was found that may not be executed; rarely another one
         */
        record Failed(int errno) implements Result {}
    }

    /** The missing file behind an ENOENT of posix_spawn(3). */
    public enum Missing {
        WORKING_DIRECTORY,
        PROGRAM,
        /** The program exists, but the interpreter of its first line or its dynamic loader does not. */
        INTERPRETER
    }

    /**
     * Finds a program. A name with a slash is relative to {@code cwd}; others are searched in {@code path}, where an empty
     * element means {@code cwd}.
     *
     * @param path PATH of the child's environment
     * @param cwd absolute
     */
    public static Result resolve(String name, Optional<String> path, byte[] cwd) {
        if (name.isEmpty()) {
            return new Result.Failed(Errno.ENOENT);
        }
        if (name.indexOf('/') >= 0) {
            byte[] given = SpawnRequest.bytes(name);
            return check(given, cwd);
        }
        int errno = Errno.ENOENT;
        for (String element : path.orElse(DEFAULT_PATH).split(":", -1)) {
            byte[] candidate = SpawnRequest.bytes(element.isEmpty() ? name : element + "/" + name);
            Result result = check(candidate, cwd);
            if (!(result instanceof Result.Failed(int failure))) {
                return result;
            }
            if (!goesOn(failure)) {
                return result;
            }
            // A later element may still have it. If none does, "permission denied" says more than "not found".
            if (failure == Errno.EACCES) {
                errno = failure;
            }
        }
        return new Result.Failed(errno);
    }

    /** Returns 0 if the directory can be entered, else the errno that chdir(2) would give. */
    public static int checkDirectory(byte[] cwd) {
        try {
            return FileCalls.status(cwd, true).directory() ? FileCalls.access(cwd, FileCalls.X_OK) : Errno.ENOTDIR;
        } catch (LinuxException e) {
            return e.errno();
        }
    }

    /** Returns the missing one of directory, program and interpreter, as far as it can be seen afterwards. */
    public static Missing missing(byte[] program, byte[] cwd) {
        if (checkDirectory(cwd) != 0) {
            return Missing.WORKING_DIRECTORY;
        }
        return FileCalls.executable(absolute(program, cwd)) == 0 ? Missing.INTERPRETER : Missing.PROGRAM;
    }

    private static Result check(byte[] path, byte[] cwd) {
        byte[] absolute = absolute(path, cwd);
        int errno = FileCalls.executable(absolute);
        return errno == 0 ? new Result.Found(path, absolute) : new Result.Failed(errno);
    }

    /** Returns true for the errors after which execvp tries the next element. */
    private static boolean goesOn(int errno) {
        return switch (errno) {
            case Errno.EACCES, Errno.ENOENT, Errno.ENOTDIR, Errno.ESTALE, Errno.ENODEV, Errno.ETIMEDOUT -> true;
            default -> false;
        };
    }

    private static byte[] absolute(byte[] path, byte[] cwd) {
        if (path.length > 0 && path[0] == '/') {
            return path;
        }
        ByteArrayOutputStream joined = new ByteArrayOutputStream();
        joined.writeBytes(cwd);
        joined.write('/');
        joined.writeBytes(path);
        return joined.toByteArray();
    }
}
