package dev.execserver.helper.fs;

import dev.execserver.sandbox.linux.DirectoryCalls;
import dev.execserver.sandbox.linux.Errno;
import dev.execserver.sandbox.linux.LinuxException;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.Optional;

/**
 * Resolves canonical paths link by link (path_resolution(7)) where no /proc can tell the name of an open file.
 * Stateless.
 *
 * <p>When another program changes links meanwhile, the result may be a path that never was canonical. That is harmless:
 * clients get it as a name, and no file is opened by it.
 */
final class CanonicalPath {

    /** The limit of the kernel. */
    private static final int MAX_LINKS = 40;

    private CanonicalPath() {}

    /**
     * Returns the canonical form of a path.
     *
     * @param path absolute; a file must exist there
     */
    static byte[] canonical(byte[] path) {
        Deque<byte[]> ahead = new ArrayDeque<>(Paths.segments(path));
        byte[] at = Paths.ROOT;
        int links = 0;
        while (!ahead.isEmpty()) {
            byte[] segment = ahead.pop();
            if (Arrays.equals(segment, Paths.UP)) {
                at = parent(at);
            } else if (!Arrays.equals(segment, Paths.HERE)) {
                byte[] next = Paths.join(at, segment);
                Optional<byte[]> target = target(next);
                if (target.isEmpty()) {
                    at = next;
                } else if (++links > MAX_LINKS) {
                    throw new LinuxException("readlinkat", Paths.display(path), Errno.ELOOP);
                } else {
                    Paths.segments(target.get()).reversed().forEach(ahead::push);
                    at = target.get()[0] == '/' ? Paths.ROOT : at;
                }
            }
        }
        return at;
    }

    private static byte[] parent(byte[] directory) {
        int slash = directory.length - 1;
        while (slash > 0 && directory[slash] != '/') {
            slash--;
        }
        return slash == 0 ? Paths.ROOT : Arrays.copyOf(directory, slash);
    }

    /** Returns the target of a link, or empty if the path is no link. */
    private static Optional<byte[]> target(byte[] path) {
        try {
            return Optional.of(DirectoryCalls.readLink(path));
        } catch (LinuxException e) {
            if (e.errno() == Errno.EINVAL) {
                return Optional.empty();
            }
            throw e;
        }
    }
}
