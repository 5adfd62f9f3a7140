package dev.execserver.helper.fs;

import dev.execserver.sandbox.linux.DirectoryCalls;
import dev.execserver.sandbox.linux.Errno;
import dev.execserver.sandbox.linux.LinuxException;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.Optional;

/**
 * Canonical paths where there is no /proc to ask for the name of an open file: link by link, see path_resolution(7). Others can
 * change the way meanwhile, and then the answer is one that was never true; it is a name and nothing is done with it. Stateless.
 */
final class LinkWalk {

    /** As the kernel counts them. */
    private static final int MAX_LINKS = 40;

    private LinkWalk() {}

    /** @param path absolute; something is there */
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

    /** Empty when it is no link. */
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
