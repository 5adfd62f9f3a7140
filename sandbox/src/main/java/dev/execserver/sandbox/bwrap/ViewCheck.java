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
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
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
        asked.add(new Asked(path, Optional.of(id)));
    }

    void masked(LinuxPath path) {
        asked.add(new Asked(path, Optional.empty()));
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
        Optional<LinuxPath> extra = extra(host, view);
        if (extra.isPresent()) {
            return Optional.of(changed(extra.get()));
        }
        try (Fd root = FileCalls.open(bytes("/proc/" + pid + "/root"), FileCalls.O_PATH | FileCalls.O_DIRECTORY, 0)) {
            return asked.stream()
                    .filter(one ->
                            view.stream().noneMatch(mount -> mount.point().equals(one.path()))
                                    || one.bound()
                                            .filter(id -> !id.equals(idBelow(root, one.path())))
                                            .isPresent())
                    .findFirst()
                    .map(one -> changed(one.path()));
        } catch (LinuxException e) {
            if (e.errno() == Errno.EACCES || e.errno() == Errno.EPERM) {
                return Optional.empty();
            }
            throw e;
        }
    }

    /** Returns the message for a path that was changed during the construction. */
    static String changed(LinuxPath path) {
        return path + " was changed while the sandbox was being built";
    }

    /**
     * Returns a mount that was not requested. A bind brings along each mount of the host below it; any other has a foreign
     * cause.
     */
    private Optional<LinuxPath> extra(List<Mount> host, List<Mount> view) {
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
        asked.forEach(one -> allowed.merge(one.path(), 1, Integer::sum));
        OWN.forEach(path -> allowed.merge(LinuxPath.of(path), 1, Integer::sum));
        own.forEach(path -> allowed.merge(path, 1, Integer::sum));
        Set<String> proc = view.stream()
                .filter(mount -> mount.point().equals(PROC))
                .map(Mount::device)
                .collect(Collectors.toSet());
        for (Mount mount : view) {
            boolean own = mount.point().isRoot() || mount.point().below(PROC) && proc.contains(mount.device());
            if (!own && allowed.merge(mount.point(), -1, Integer::sum) < 0) {
                return Optional.of(mount.point());
            }
        }
        return Optional.empty();
    }

    private static FileId idBelow(Fd root, LinuxPath path) {
        try (Fd fd = FileCalls.openat2(
                root.number(),
                path.relativeTo(LinuxPath.ROOT),
                FileCalls.O_PATH,
                0,
                FileCalls.RESOLVE_BENEATH | FileCalls.RESOLVE_NO_SYMLINKS)) {
            FileStatus status = FileCalls.status(fd);
            return new FileId(status.device(), status.inode());
        } catch (LinuxException e) {
            return new FileId(0, 0); // no file has this identity
        }
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }
}
