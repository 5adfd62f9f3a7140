package dev.execserver.sandbox.bwrap;

import dev.execserver.sandbox.linux.FileCalls;
import dev.execserver.sandbox.linux.LinuxException;
import dev.execserver.sandbox.outcome.FilesChangedException;
import dev.execserver.sandbox.paths.CrossedLink;
import dev.execserver.sandbox.paths.LinuxPath;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Links that running commands must not change, with their targets. While one command has replaced a link, another must not take
 * the new target for the right one: at its end it would put that back. That holds for the commands of other servers, too. Any thread; no
 * locks. Touches files.
 */
final class GuardedLinks {
    private final Map<LinuxPath, Held> held = new ConcurrentHashMap<>();

    private final SharedLinks shared;

    private record Held(ByteBuffer target, int users, SharedLinks.Hold hold) {}

    GuardedLinks(SharedLinks shared) {
        this.shared = shared;
    }

    /** @throws FilesChangedException if the link is not as it was when the policy was resolved */
    void enter(CrossedLink link) {
        held.compute(link.path(), (path, now) -> {
            ByteBuffer target = ByteBuffer.wrap(link.target());
            if (now != null && !now.target().equals(target)) {
                throw changed(path);
            }
            return now == null
                    ? new Held(target, 1, shared.enter(link))
                    : new Held(target, now.users() + 1, now.hold());
        });
        if (!unchanged(link)) {
            leave(link);
            throw changed(link.path());
        }
    }

    void leave(CrossedLink link) {
        held.computeIfPresent(link.path(), (path, now) -> {
            if (now.users() > 1) {
                return new Held(now.target(), now.users() - 1, now.hold());
            }
            now.hold().close();
            return null;
        });
    }

    private static boolean unchanged(CrossedLink link) {
        try {
            return Arrays.equals(FileCalls.readLink(link.path().bytes()), link.target());
        } catch (LinuxException e) {
            return false;
        }
    }

    private static FilesChangedException changed(LinuxPath path) {
        return new FilesChangedException(path + " was replaced while the sandbox was being prepared");
    }
}
