package dev.execserver.helper.fs;

import dev.execserver.protocol.fs.FsLimits;
import dev.execserver.protocol.fs.WalkOptions;
import dev.execserver.protocol.fs.WalkParams;
import dev.execserver.protocol.fs.WalkResult;
import dev.execserver.protocol.paths.PathUri;
import dev.execserver.protocol.rpc.RpcException;
import dev.execserver.sandbox.linux.DirectoryCalls;
import dev.execserver.sandbox.linux.DirectoryCalls.Entry;
import dev.execserver.sandbox.linux.Fd;
import dev.execserver.sandbox.linux.FileCalls;
import dev.execserver.sandbox.linux.FileStatus;
import dev.execserver.sandbox.linux.LinuxException;
import dev.execserver.sandbox.linux.LongWork;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * One {@code fs/walk} through one tree, breadth first, with sorted names in each directory. Directories are opened
 * below the descriptor of the root, so that a tree that is swapped meanwhile does not lead outside. One thread.
 */
final class TreeWalk {

    /**
     * Names that are kept before the largest ones are dropped, so that a directory of a million entries is never held
     * completely.
     */
    private static final int KEPT_AT_LEAST = 4096;

    private static final int OPEN_DIRECTORY = FileCalls.O_RDONLY | FileCalls.O_DIRECTORY;
    private static final Comparator<Entry> BY_NAME = (a, b) -> Arrays.compareUnsigned(a.name(), b.name());

    private final byte[] path;
    private final WalkOptions options;
    private final Fd root;
    private final DisclosurePolicy disclosure;
    private final ArrayDeque<Pending> pending = new ArrayDeque<>();
    private final Set<Identity> visited = new HashSet<>();
    private final List<WalkResult.Entry> found = new ArrayList<>();
    private final List<WalkResult.Problem> problems = new ArrayList<>();
    private long looked;
    private boolean truncated;

    /**
     * A directory that is still to be read.
     *
     * @param relative path relative to the root, empty for the root itself
     */
    @SuppressWarnings("ArrayRecordComponent") // a path is bytes, and these are never compared
    private record Pending(byte[] relative, int depth) {}

    private record Identity(long device, long inode) {}

    private TreeWalk(byte[] path, WalkOptions options, Fd root, DisclosurePolicy disclosure) {
        this.path = path;
        this.options = options;
        this.root = root;
        this.disclosure = disclosure;
    }

    static WalkResult walk(WalkParams params, DisclosurePolicy disclosure) {
        checkLimits(params.options());
        return walk(Paths.of(params.path()), params.options(), disclosure);
    }

    static WalkResult walk(byte[] path, WalkOptions options, DisclosurePolicy disclosure) {
        try (Fd root = Opener.name(path, true)) {
            disclosure.require(root, path);
            boolean enter = FileCalls.status(root).directory() && (options.followDirectorySymlinks() || !isLink(path));
            return enter
                    ? new TreeWalk(path, options, root, disclosure).run()
                    : new WalkResult(List.of(), List.of(), false);
        }
    }

    private static void checkLimits(WalkOptions options) {
        if (options.maxDirectories() == 0 || options.maxEntries() == 0) {
            throw RpcException.invalidRequest("filesystem walk limits must be greater than zero");
        }
        if (options.maxDepth() > FsLimits.WALK_DEPTH
                || options.maxDirectories() > FsLimits.WALK_DIRECTORIES
                || options.maxEntries() > FsLimits.WALK_ENTRIES) {
            throw RpcException.invalidRequest("filesystem walk limits exceed maximums: depth=" + FsLimits.WALK_DEPTH
                    + ", directories=" + FsLimits.WALK_DIRECTORIES + ", entries=" + FsLimits.WALK_ENTRIES);
        }
    }

    private static boolean isLink(byte[] path) {
        try (Fd own = Opener.open(path, FileCalls.O_PATH | FileCalls.O_NOFOLLOW, 0, true)) {
            return FileCalls.status(own).symbolicLink();
        }
    }

    private WalkResult run() {
        pending.add(new Pending(new byte[0], 0));
        long directories = 0;
        while (!pending.isEmpty() && !truncated) {
            if (directories == options.maxDirectories()) {
                truncated = true;
            } else {
                directories++;
                lookInto(pending.poll());
            }
        }
        return new WalkResult(found, problems, truncated);
    }

    private void lookInto(Pending next) {
        LongWork.step();
        try (Fd directory = open(next)) {
            disclosure.require(directory, next.relative());
            if (options.followDirectorySymlinks() && !firstVisit(directory)) {
                return;
            }
            for (Entry entry : sorted(directory)) {
                if (looked == options.maxEntries()) {
                    truncated = true;
                    return;
                }
                looked++;
                LongWork.step();
                note(directory, next, entry);
            }
        } catch (LinuxException e) {
            problems.add(new WalkResult.Problem(uri(next.relative()), FileErrors.text(e.errno())));
        }
    }

    private Fd open(Pending next) {
        byte[] name = next.relative().length == 0 ? Paths.HERE : next.relative();
        long resolve = options.followDirectorySymlinks() ? FileCalls.RESOLVE_NO_MAGICLINKS : Opener.BELOW;
        return Opener.open(root.number(), name, OPEN_DIRECTORY, 0, resolve);
    }

    /**
     * Returns true on the first visit of a directory. Several links may lead to one directory, and links may form
     * circles.
     */
    private boolean firstVisit(Fd directory) {
        FileStatus status = FileCalls.status(directory);
        return visited.add(new Identity(status.device(), status.inode()));
    }

    /** Returns the smallest names: as many as the limit still permits and one more. */
    private List<Entry> sorted(Fd directory) {
        int wanted = (int) (options.maxEntries() - looked + 1);
        List<Entry> kept = new ArrayList<>();
        List<Entry> read;
        while (!(read = DirectoryCalls.entries(directory)).isEmpty()) {
            LongWork.step();
            kept.addAll(read);
            if (kept.size() > Math.max(KEPT_AT_LEAST, 2 * wanted)) {
                kept.sort(BY_NAME);
                kept.subList(wanted, kept.size()).clear();
            }
        }
        kept.sort(BY_NAME);
        return kept;
    }

    private void note(Fd directory, Pending parent, Entry entry) {
        byte[] relative = Paths.join(parent.relative(), entry.name());
        boolean isDirectory = entry.directory();
        boolean isFile = entry.regular();
        try {
            if (entry.unknown()) {
                FileStatus status = FileCalls.statusAt(directory, entry.name(), false);
                isDirectory = status.directory() || (status.symbolicLink() && linkToDirectory(directory, entry));
                isFile = status.regular();
            } else if (entry.symbolicLink()) {
                isDirectory = linkToDirectory(directory, entry);
            }
        } catch (LinuxException e) {
            problems.add(new WalkResult.Problem(uri(relative), FileErrors.text(e.errno())));
            return;
        }
        if (!isDirectory && !isFile) {
            return;
        }
        found.add(new WalkResult.Entry(uri(relative), isDirectory));
        boolean hidden = entry.name()[0] == '.' && options.pruneHiddenDirectories();
        if (isDirectory && !hidden && parent.depth() < options.maxDepth()) {
            pending.add(new Pending(relative, parent.depth() + 1));
        }
    }

    private boolean linkToDirectory(Fd directory, Entry entry) {
        if (!options.followDirectorySymlinks()) {
            return false;
        }
        try {
            return FileCalls.statusAt(directory, entry.name(), true).directory();
        } catch (LinuxException e) {
            return false; // a broken link
        }
    }

    private PathUri uri(byte[] relative) {
        return PathUri.ofNative(relative.length == 0 ? path : Paths.join(path, relative));
    }
}
