package dev.execserver.sandbox.glob;

import dev.execserver.sandbox.linux.LongWork;
import dev.execserver.sandbox.paths.FileView;
import dev.execserver.sandbox.paths.FileView.Child;
import dev.execserver.sandbox.paths.FileView.Kind;
import dev.execserver.sandbox.paths.FileView.NotAccessibleException;
import dev.execserver.sandbox.paths.LinuxPath;
import dev.execserver.sandbox.paths.PolicyRefusedException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.Predicate;

/** Reads every directory itself, within a time limit: a file system may make up directories without end. */
public final class WalkScan implements GlobScan {
    private final FileView files;
    private final Predicate<LinuxPath> mayBeOpened;
    private final Predicate<Kind> kinds;
    private final Duration limit;

    /**
     * Makes a search for all kinds of files.
     *
     * @param mayBeOpened returns true if the command could make an unreadable directory readable; then the directory must not
     *     be skipped
     */
    public WalkScan(FileView files, Predicate<LinuxPath> mayBeOpened) {
        this(files, mayBeOpened, kind -> true);
    }

    /** Makes a search for the given kinds of files. */
    public WalkScan(FileView files, Predicate<LinuxPath> mayBeOpened, Predicate<Kind> kinds) {
        this(files, mayBeOpened, kinds, SpawnerCommandRunner.LIMIT);
    }

    /** Makes a search with a time limit of its own. */
    WalkScan(FileView files, Predicate<LinuxPath> mayBeOpened, Predicate<Kind> kinds, Duration limit) {
        this.files = files;
        this.mayBeOpened = mayBeOpened;
        this.kinds = kinds;
        this.limit = limit;
    }

    private record Level(LinuxPath directory, int depth) {}

    @Override
    public List<GlobMatch> scan(LinuxPath root, List<GlobPattern> patterns, OptionalInt depth) {
        List<GlobMatch> matches = new ArrayList<>();
        Deque<Level> ahead = new ArrayDeque<>(List.of(new Level(root, 1)));
        long deadline = System.nanoTime() + limit.toNanos();
        while (!ahead.isEmpty()) {
            LongWork.step();
            if (System.nanoTime() - deadline > 0) {
                throw new PolicyRefusedException(
                        GlobScan.names(patterns) + " could not be searched for in " + root + " within "
                                + limit.toSeconds() + " s; start with a smaller directory, or set glob_scan_max_depth");
            }
            Level level = ahead.pop();
            for (Child child : list(level.directory(), patterns)) {
                LinuxPath path = level.directory().child(child.name());
                Optional<GlobPattern> matched = match(root, path, patterns);
                if (matched.isPresent() && kinds.test(child.kind())) {
                    matches.add(new GlobMatch(matched.get(), path, child.kind()));
                    if (matches.size() > MAX_MATCHES) {
                        throw GlobScan.tooMany(matched.get());
                    }
                } else if (child.kind() == Kind.DIRECTORY && level.depth() < depth.orElse(Integer.MAX_VALUE)) {
                    ahead.push(new Level(path, level.depth() + 1));
                }
            }
        }
        return matches;
    }

    static Optional<GlobPattern> match(LinuxPath root, LinuxPath path, List<GlobPattern> patterns) {
        byte[] relative = path.relativeTo(root);
        return patterns.stream().filter(pattern -> pattern.matches(relative)).findFirst();
    }

    private List<Child> list(LinuxPath directory, List<GlobPattern> patterns) {
        try {
            return files.list(directory);
        } catch (NotAccessibleException e) {
            if (mayBeOpened.test(directory)) {
                throw new PolicyRefusedException(GlobScan.names(patterns) + " cannot be searched for in " + directory
                        + ", which the command could open for itself: " + e.getMessage());
            }
            // The command runs as the same user and cannot read the directory either.
            return List.of();
        }
    }
}
