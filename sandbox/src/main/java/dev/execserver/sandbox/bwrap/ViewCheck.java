package dev.execserver.sandbox.bwrap;

import dev.execserver.sandbox.linux.Errno;
import dev.execserver.sandbox.linux.Fd;
import dev.execserver.sandbox.linux.FileCalls;
import dev.execserver.sandbox.linux.FileStatus;
import dev.execserver.sandbox.linux.LinuxException;
import dev.execserver.sandbox.paths.FileId;
import dev.execserver.sandbox.paths.LinuxPath;
import dev.execserver.sandbox.paths.MountTable;
import dev.execserver.sandbox.paths.MountTable.Mount;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Checks that a finished view is the requested one. Bubblewrap takes source and destination as paths and follows links.
 * Another command that can write there may replace a directory by a link, and a wrong file is mounted, or at a wrong place.
 * The mounts of a finished view do not change any more, so they are checked then, before the command runs. Used by one
 * thread; reads proc(5).
 */
final class ViewCheck {
    /** Mounts that bubblewrap makes in its own /dev and /proc. */
    private static final List<String> OWN = List.of(
            "/dev",
            "/dev/null",
            "/dev/zero",
            "/dev/full",
            "/dev/random",
            "/dev/urandom",
            "/dev/tty",
            "/dev/pts",
            "/dev/shm",
            "/dev/console");

    private static final LinuxPath PROC = LinuxPath.of("/proc");

    /** A link in bubblewrap's own /dev, so that a mount at it is one at its target. */
    private static final LinuxPath PTMX = LinuxPath.of("/dev/ptmx");

    private static final LinuxPath PTMX_TARGET = LinuxPath.of("/dev/pts/ptmx");

    /** A mask of this directory hides a mount at {@link #PTMX_TARGET}. */
    private static final LinuxPath PTS = LinuxPath.of("/dev/pts");

    /**
     * A requested mount.
     *
     * @param bound the file of the host that must be there; empty for a mask
     */
    record Asked(LinuxPath path, Optional<FileId> bound) {}

    private final List<Asked> asked = new ArrayList<>();
    private boolean rootBound;
    private final List<LinuxPath> own = new ArrayList<>();

    void bound(LinuxPath path, FileId id) {
        asked.add(new Asked(place(path), Optional.of(id)));
    }

    void masked(LinuxPath path) {
        asked.add(new Asked(place(path), Optional.empty()));
    }

    private static LinuxPath place(LinuxPath path) {
        return path.equals(PTMX) ? PTMX_TARGET : path;
    }

    void rootBound() {
        rootBound = true;
    }

    /** Adds a symbolic link that is mounted on itself; {@link LinkMounts} checks its identity. */
    void linked(LinuxPath path) {
        own.add(path);
    }

    /** Adds a place with a mount of the sandbox itself, or with all mounts of the host below it. */
    void own(LinuxPath path) {
        own.add(path);
    }

    /**
     * Returns a description of the first difference. Empty if there is none, or if this server may not read the view, for
     * example because bubblewrap is set-user-ID.
     *
     * @param pid a process in the view
     */
    Optional<String> fault(int pid) {
        List<Mount> host = MountTable.of("self");
        List<Mount> view = MountTable.of(Integer.toString(pid));
        try (Fd root = FileCalls.open(bytes("/proc/" + pid + "/root"), FileCalls.O_PATH | FileCalls.O_DIRECTORY, 0)) {
            Map<Integer, Mount> unclaimed = new LinkedHashMap<>();
            view.forEach(mount -> unclaimed.put(mount.id(), mount));
            Map<LinuxPath, List<Asked>> places =
                    asked.stream().collect(Collectors.groupingBy(Asked::path, LinkedHashMap::new, Collectors.toList()));
            return places.entrySet().stream()
                    .filter(place -> !hidden(place.getKey()))
                    .filter(place -> !claim(root, place.getKey(), place.getValue(), unclaimed))
                    .map(Map.Entry::getKey)
                    .findFirst()
                    .or(() -> extra(host, unclaimed.values()))
                    .map(ViewCheck::changed);
        } catch (LinuxException e) {
            return switch (e.errno()) {
                case Errno.EACCES, Errno.EPERM -> Optional.empty();
                case Errno.ENOENT, Errno.ESRCH -> Optional.of("bwrap ended while the sandbox was being built");
                default -> throw e;
            };
        }
    }

    private boolean hidden(LinuxPath path) {
        return path.equals(PTMX_TARGET)
                && asked.stream().anyMatch(one -> one.path().equals(PTS));
    }

    /**
     * Claims the mounts that were requested for a place, each for one request. Names can be exchanged at any moment, also
     * between two looks at them. So the mount is asked of the file that was opened, and the ones below it of their parents.
     *
     * @return false if the file or a mount is not what was requested
     */
    private static boolean claim(Fd root, LinuxPath path, List<Asked> requests, Map<Integer, Mount> unclaimed) {
        try (Fd fd = FileCalls.openat2(
                root.number(),
                path.relativeTo(LinuxPath.ROOT),
                FileCalls.O_PATH,
                0,
                FileCalls.RESOLVE_BENEATH | FileCalls.RESOLVE_NO_SYMLINKS)) {
            FileStatus status = FileCalls.status(fd);
            FileId found = new FileId(status.device(), status.inode());
            if (requests.getLast().bound().filter(id -> !id.equals(found)).isPresent()) {
                return false;
            }
            OptionalInt next = MountTable.idOf(fd);
            for (Asked _ : requests) {
                Mount mount = next.isPresent() ? unclaimed.remove(next.getAsInt()) : null;
                if (mount == null || !mount.point().equals(path)) {
                    return false;
                }
                next = OptionalInt.of(mount.parent());
            }
            return true;
        } catch (LinuxException e) {
            return false;
        }
    }

    /** Returns the message for a path that was changed during the construction. */
    static String changed(LinuxPath path) {
        return path + " was changed while the sandbox was being built";
    }

    /**
     * Returns a mount that was not requested. A bind brings along each mount of the host below it; any other has a foreign
     * cause.
     *
     * @param left mounts that no request has claimed
     */
    private Optional<LinuxPath> extra(List<Mount> host, Collection<Mount> left) {
        Map<LinuxPath, Integer> allowed = new HashMap<>();
        for (Mount mount : host) {
            int binds = (rootBound ? 1 : 0)
                    + (int) own.stream().filter(mount.point()::below).count()
                    + (int) asked.stream()
                            .filter(one ->
                                    one.bound().isPresent() && mount.point().below(one.path()))
                            .count();
            allowed.merge(mount.point(), binds, Integer::sum);
        }
        OWN.forEach(path -> allowed.merge(LinuxPath.of(path), 1, Integer::sum));
        own.forEach(path -> allowed.merge(path, 1, Integer::sum));
        asked.stream().map(Asked::path).filter(this::hidden).forEach(path -> allowed.merge(path, 1, Integer::sum));
        Set<String> proc = left.stream()
                .filter(mount -> mount.point().equals(PROC))
                .map(Mount::device)
                .collect(Collectors.toSet());
        for (Mount mount : left) {
            boolean own = mount.point().isRoot() || mount.point().below(PROC) && proc.contains(mount.device());
            if (!own && allowed.merge(mount.point(), -1, Integer::sum) < 0) {
                return Optional.of(mount.point());
            }
        }
        return Optional.empty();
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }
}
