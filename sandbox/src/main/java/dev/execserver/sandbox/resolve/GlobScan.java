package dev.execserver.sandbox.resolve;

import java.util.List;
import java.util.OptionalInt;

/** Finds what unreadable globs match. Implementations give the same result. */
interface GlobScan {
    /** Matches of one search; a policy that needs more is refused. */
    int MAX_MATCHES = 8192;

    /**
     * All files, links and directories below the root that match, but nothing below a directory that does.
     *
     * @param root directory without links in its path
     * @param patterns those that start there
     * @param depth how far down; 1 for direct children
     * @throws PolicyRefusedException when there are more than {@link #MAX_MATCHES} or the search failed
     */
    List<GlobMatch> scan(LinuxPath root, List<GlobPattern> patterns, OptionalInt depth);

    static PolicyRefusedException tooMany(GlobPattern pattern) {
        return new PolicyRefusedException("the unreadable glob `" + pattern + "` matches more than " + MAX_MATCHES
                + " files; deny the directories that hold them by path, or set glob_scan_max_depth");
    }
}
