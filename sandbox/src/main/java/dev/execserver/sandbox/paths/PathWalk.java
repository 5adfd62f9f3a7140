package dev.execserver.sandbox.paths;

import dev.execserver.sandbox.paths.FileView.Kind;
import dev.execserver.sandbox.paths.FileView.NotAccessibleException;
import dev.execserver.sandbox.paths.FileView.Status;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;

/** Resolves a path link by link, see path_resolution(7). */
public final class PathWalk {
    /** Largest number of links in one path, the same as in the kernel, see path_resolution(7). */
    static final int MAX_LINKS = 40;

    private final FileView files;

    public PathWalk(FileView files) {
        this.files = files;
    }

    /**
     * The result of resolving a path.
     *
     * @param path the path without links, as far as it exists
     * @param status status of the file; empty if nothing is there or an obstacle hides it
     * @param links the symbolic links on the way, in order
     * @param firstMissing the first component that does not exist; empty if the path exists
     * @param obstacle the error that kept the walk from reaching the file; empty if there was none
     */
    public record Located(
            LinuxPath path,
            Optional<Status> status,
            List<CrossedLink> links,
            Optional<LinuxPath> firstMissing,
            Optional<String> obstacle) {

        public boolean exists() {
            return status.isPresent();
        }

        public boolean directory() {
            return status.filter(found -> found.kind() == Kind.DIRECTORY).isPresent();
        }
    }

    public Located locate(LinuxPath path) {
        Deque<String> ahead = new ArrayDeque<>();
        push(ahead, raw(path.bytes()));
        List<CrossedLink> links = new ArrayList<>();
        LinuxPath at = LinuxPath.ROOT;
        LinuxPath next = at;
        try {
            Optional<Status> status = files.status(at);
            while (!ahead.isEmpty()) {
                String component = ahead.pop();
                if (component.equals("..")) {
                    at = at.parent();
                    status = files.status(at);
                    continue;
                }
                next = at.child(bytes(component));
                status = files.status(next);
                if (status.isEmpty()) {
                    return new Located(rest(next, ahead), Optional.empty(), links, Optional.of(next), Optional.empty());
                }
                if (status.get().kind() != Kind.SYMLINK) {
                    at = next;
                    continue;
                }
                byte[] target = files.readLink(next);
                links.add(new CrossedLink(next, target, status.get().id()));
                if (links.size() > MAX_LINKS) {
                    return blocked(rest(next, ahead), links, "too many levels of symbolic links at " + next);
                }
                push(ahead, raw(target));
                if (target.length > 0 && target[0] == '/') {
                    at = LinuxPath.ROOT;
                    status = files.status(at);
                }
            }
            return new Located(at, status, links, Optional.empty(), Optional.empty());
        } catch (NotAccessibleException e) {
            return blocked(rest(next, ahead), links, e.getMessage());
        }
    }

    private static Located blocked(LinuxPath path, List<CrossedLink> links, String obstacle) {
        return new Located(path, Optional.empty(), links, Optional.empty(), Optional.of(obstacle));
    }

    /**
     * Returns the path with the remaining components. {@code ..} is taken lexically here, because below a missing directory
     * it leads nowhere.
     */
    private static LinuxPath rest(LinuxPath from, Deque<String> ahead) {
        return from.resolve(bytes(String.join("/", ahead)));
    }

    private static void push(Deque<String> ahead, String path) {
        for (String component : List.of(path.split("/")).reversed()) {
            if (!component.isEmpty() && !component.equals(".")) {
                ahead.push(component);
            }
        }
    }

    private static String raw(byte[] path) {
        return new String(path, StandardCharsets.ISO_8859_1);
    }

    private static byte[] bytes(String raw) {
        return raw.getBytes(StandardCharsets.ISO_8859_1);
    }
}
