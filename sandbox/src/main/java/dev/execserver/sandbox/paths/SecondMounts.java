package dev.execserver.sandbox.paths;

import dev.execserver.sandbox.linux.EntryCalls;
import dev.execserver.sandbox.linux.FileCalls;
import dev.execserver.sandbox.linux.FileStatus;
import dev.execserver.sandbox.linux.LinuxException;
import dev.execserver.sandbox.paths.MountTable.Mount;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Finds the other paths of files that can be reached by several mounts: a rule for one path does not apply to another one.
 * Stateless.
 */
public final class SecondMounts {
    /**
     * A path that may lead to the same file as another one.
     *
     * @param same the path of the same file at or below the path that was asked for
     */
    record Candidate(LinuxPath path, LinuxPath same) {}

    private SecondMounts() {}

    /** Returns the paths and all their other paths that exist now. */
    public static List<LinuxPath> with(List<LinuxPath> paths) {
        List<Mount> mounts = MountTable.of("self");
        Set<LinuxPath> all = new LinkedHashSet<>(paths);
        for (LinuxPath path : paths) {
            real(path).stream()
                    .flatMap(real -> candidates(real, mounts).stream())
                    .filter(candidate -> same(candidate.path(), candidate.same()))
                    .forEach(candidate -> all.add(candidate.path()));
        }
        return List.copyOf(all);
    }

    /** @param path without links */
    static List<Candidate> candidates(LinuxPath path, List<Mount> mounts) {
        Optional<Mount> own = Optional.empty();
        for (Mount mount : mounts) {
            // Of several mounts at one place, the last one covers the others.
            if (path.startsWith(mount.point())
                    && own.filter(known -> known.point().depth() > mount.point().depth())
                            .isEmpty()) {
                own = Optional.of(mount);
            }
        }
        return own.map(mount -> candidates(path, mount, mounts)).orElse(List.of());
    }

    private static List<Candidate> candidates(LinuxPath path, Mount own, List<Mount> mounts) {
        LinuxPath inside = own.root().resolve(path.relativeTo(own.point()));
        List<Candidate> found = new ArrayList<>();
        for (Mount mount : mounts) {
            if (mount == own || !mount.device().equals(own.device())) {
                continue;
            }
            if (inside.startsWith(mount.root())) {
                found.add(new Candidate(mount.point().resolve(inside.relativeTo(mount.root())), path));
            } else if (mount.root().startsWith(inside)) {
                found.add(new Candidate(mount.point(), path.resolve(mount.root().relativeTo(inside))));
            }
        }
        return found;
    }

    private static Optional<LinuxPath> real(LinuxPath path) {
        try {
            return Optional.of(LinuxPath.of(EntryCalls.realPath(path.bytes())));
        } catch (LinuxException e) {
            return Optional.empty(); // not there
        }
    }

    private static boolean same(LinuxPath one, LinuxPath other) {
        try {
            FileStatus first = FileCalls.status(one.bytes(), false);
            FileStatus second = FileCalls.status(other.bytes(), false);
            return first.device() == second.device() && first.inode() == second.inode();
        } catch (LinuxException e) {
            return false; // something else is mounted over it
        }
    }
}
