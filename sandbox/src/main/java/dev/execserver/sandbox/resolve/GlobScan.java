package dev.execserver.sandbox.resolve;

import java.util.List;
import java.util.OptionalInt;
import java.util.stream.Collectors;

/** Finds what unreadable globs match. Implementations give the same result. */
interface GlobScan {
    /** Matches of one search; a policy that needs more is refused. */
    int MAX_MATCHES = 8192;

    /** Patterns that a message names. */
    int MAX_NAMES = 3;

    /**
     * All files, links and directories below the root that match, but nothing below a directory that does.
     *
     * @param root directory without links in its path
     * @param patterns those that start there
     * @param depth how far down; 1 for direct children
     * @throws PolicyRefusedException when there are more than {@link #MAX_MATCHES} or the search failed
     */
    List<GlobMatch> scan(LinuxPath root, List<GlobPattern> patterns, OptionalInt depth);

    /** The patterns of one search in a message: which of them is to blame for a failure cannot be told. */
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
