package dev.execserver.sandbox.trust;

import dev.execserver.sandbox.linux.DirectoryCalls;
import dev.execserver.sandbox.linux.Errno;
import dev.execserver.sandbox.linux.Fd;
import dev.execserver.sandbox.linux.FileCalls;
import dev.execserver.sandbox.linux.FileStatus;
import dev.execserver.sandbox.linux.LinuxException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

/**
 * Walk along a path, name by name below open descriptors. It records every directory and link on the way. The descriptor
 * of {@link #end} is the very directory whose status was recorded, so nobody can swap it before something is created in it.
 * One thread.
 */
public final class OwnershipWalk implements AutoCloseable {
    /** Limit of links in one path, the same as in the kernel; see path_resolution(7). */
    private static final int MAX_LINKS = 40;

    private static final int NAME_ONLY = FileCalls.O_PATH | FileCalls.O_NOFOLLOW;
    private static final Path ROOT = Path.of("/");
    private static final Path UP = Path.of("..");

    private final TrustedOwners owners = TrustedOwners.now();
    private final List<Step> steps = new ArrayList<>();
    private final Deque<Path> ahead = new ArrayDeque<>();
    private Path place = ROOT;
    private Fd at = open(FileCalls.AT_FDCWD, ROOT);
    private int links;

    private OwnershipWalk() {}

    /**
     * Walks as far as files exist.
     *
     * @throws LinuxException for a file in the place of a directory, a directory that may not be entered, too many links
     */
    public static OwnershipWalk along(Path path) {
        OwnershipWalk walk = new OwnershipWalk();
        try {
            walk.aheadOf(path.toAbsolutePath().normalize());
            walk.arrive();
            while (!walk.ahead.isEmpty() && walk.step()) {
                // The loop is in its condition.
            }
            return walk;
        } catch (RuntimeException e) {
            walk.close();
            throw e;
        }
    }

    /** Returns all directories and links on the way and the file at the end, in order. */
    public List<Step> steps() {
        return List.copyOf(steps);
    }

    /** Returns the names at the end of the path that do not exist; empty if the whole path exists. */
    public List<Path> missing() {
        return List.copyOf(ahead);
    }

    /** Returns the path of {@link #end}, without links. */
    public Path place() {
        return place;
    }

    /** Returns the last existing file, opened with O_PATH. Closed with the walk. */
    public Fd end() {
        return at;
    }

    /**
     * Creates the next missing directory and enters it.
     *
     * @throws LinuxException if it cannot be created, or if somebody else has replaced it since
     */
    public void make(int mode) {
        Path name = ahead.getFirst();
        Path made = place.resolve(name);
        try {
            DirectoryCalls.makeDirectory(at, bytes(name), mode);
            enter(open(at.number(), name), made);
        } catch (LinuxException e) {
            throw new LinuxException(e.call(), made.toString(), e.errno());
        }
        ahead.pop();
        Step step = steps.getLast();
        if (!step.status().directory() || step.foreign()) {
            throw new LinuxException("mkdirat", made.toString(), Errno.EEXIST);
        }
    }

    private void aheadOf(Path path) {
        for (int i = path.getNameCount() - 1; i >= 0; i--) {
            if (!path.getName(i).toString().isEmpty()) {
                ahead.push(path.getName(i));
            }
        }
    }

    private void arrive() {
        steps.add(new Step(place, FileCalls.status(at), owners));
    }

    /** Returns false if the next name does not exist. */
    private boolean step() {
        Path name = ahead.getFirst();
        try {
            FileStatus status = FileCalls.statusAt(at, bytes(name), false);
            go(name, status);
            return true;
        } catch (LinuxException e) {
            if (e.errno() == Errno.ENOENT) {
                return false;
            }
            throw new LinuxException(e.call(), place.resolve(name).toString(), e.errno());
        }
    }

    private void go(Path name, FileStatus status) {
        if (status.symbolicLink()) {
            follow(name, status);
            return;
        }
        enter(open(at.number(), name), name.equals(UP) ? parent() : place.resolve(name));
        ahead.pop();
    }

    private Path parent() {
        return place.getParent() == null ? ROOT : place.getParent();
    }

    private void follow(Path name, FileStatus link) {
        Path here = place.resolve(name);
        if (++links > MAX_LINKS) {
            throw new LinuxException("openat2", here.toString(), Errno.ELOOP);
        }
        steps.add(new Step(here, link, owners));
        Path target = Path.of(new String(DirectoryCalls.readLink(at, bytes(name)), StandardCharsets.UTF_8));
        ahead.pop();
        aheadOf(target);
        if (target.isAbsolute()) {
            enter(open(FileCalls.AT_FDCWD, ROOT), ROOT);
        }
    }

    private void enter(Fd next, Path where) {
        at.close();
        at = next;
        place = where;
        arrive();
    }

    private static Fd open(int directory, Path name) {
        return FileCalls.openat2(directory, bytes(name), NAME_ONLY, 0, FileCalls.RESOLVE_NO_SYMLINKS);
    }

    private static byte[] bytes(Path path) {
        return path.toString().getBytes(StandardCharsets.UTF_8);
    }

    @Override
    public void close() {
        at.close();
    }
}
