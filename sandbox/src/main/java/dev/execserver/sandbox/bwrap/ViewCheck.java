package dev.execserver.sandbox.bwrap;

import dev.execserver.sandbox.linux.Errno;
import dev.execserver.sandbox.linux.Fd;
import dev.execserver.sandbox.linux.FileCalls;
import dev.execserver.sandbox.linux.FileStatus;
import dev.execserver.sandbox.linux.LinuxException;
import dev.execserver.sandbox.resolve.FileId;
import dev.execserver.sandbox.resolve.LinuxPath;
import dev.execserver.sandbox.resolve.MountTable;
import dev.execserver.sandbox.resolve.MountTable.Mount;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Whether a view that stands is the one that was asked for. Bubblewrap takes paths, source and destination, and follows
 * links: another command, at work in a place that both may write, can put a link where a directory was found, and something
 * else is mounted, or somewhere else. What is mounted does not change any more once the view stands, so it is looked at then,
 * before anything of the command runs. Used by one thread; reads proc(5).
 */
final class ViewCheck {
    /** What bubblewrap mounts in a /dev and a /proc of its own. */
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
     * One mount that was asked for.
     *
     * @param bound what of the host is to be seen there; empty for a mask
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

    /** A symbolic link that is mounted on itself; {@link LinkMounts} looks whether it is the right one. */
    void linked(LinuxPath path) {
        own.add(path);
    }

    /** What the sandbox has of its own there, or all that the host has. */
    void own(LinuxPath path) {
        own.add(path);
    }

    /**
     * What is not as it was asked for; empty when everything is, or when this server may not look, as where bubblewrap is
     * set-user-ID.
     *
     * @param pid of a process in the view
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

    /** Says that somebody exchanged what the view is made of. */
    static String changed(LinuxPath path) {
        return path + " was changed while the sandbox was being built";
    }

    /** Each mount of the host comes along with each bind that it lies below; more there is somebody else's doing. */
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
            return new FileId(0, 0); // no file has that
        }
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }
}
