package dev.execserver.sandbox.glob;

import dev.execserver.sandbox.paths.LinuxPath;
import dev.execserver.sandbox.paths.PolicyRefusedException;
import java.util.List;
import java.util.OptionalInt;
import java.util.stream.Collectors;

/** Finds the matches of unreadable globs. All implementations give the same result. */
public interface GlobScan {
    /** Largest number of matches of one search; a policy that needs more is refused. */
    int MAX_MATCHES = 8192;

    /** Number of patterns that a message names. */
    int MAX_NAMES = 3;

    /**
     * Returns all files, links and directories below the root that match. Nothing below a matching directory is returned.
     *
     * @param root directory without links in its path
     * @param patterns patterns that start at the root
     * @param depth number of levels below the root; 1 for direct children
     * @throws PolicyRefusedException if there are more than {@link #MAX_MATCHES} or the search failed
     */
    List<GlobMatch> scan(LinuxPath root, List<GlobPattern> patterns, OptionalInt depth);

    /** Names the patterns of one search for a message: nobody can tell which of them caused a failure. */
    static String names(List<GlobPattern> patterns) {
        String names = patterns.stream()
                .limit(MAX_NAMES)
                .map(pattern -> "`" + pattern + "`")
                .collect(Collectors.joining(", "));
        int more = patterns.size() - MAX_NAMES;
        return (patterns.size() == 1 ? "the unreadable glob " : "the unreadable globs ")
                + names
                + (more > 0 ? " and " + more + " more" : "");
    }

    static PolicyRefusedException tooMany(GlobPattern pattern) {
        return new PolicyRefusedException("the unreadable glob `" + pattern + "` matches more than " + MAX_MATCHES
                + " files; deny the directories that hold them by path, or set glob_scan_max_depth");
    }
}
