package dev.execserver.sandbox.glob;

import dev.execserver.sandbox.paths.FileView;
import dev.execserver.sandbox.paths.FileView.NotAccessibleException;
import dev.execserver.sandbox.paths.LinuxPath;
import dev.execserver.sandbox.paths.PolicyRefusedException;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;

/**
 * Reduces many matches of globs to few masks. Every mask is a mount, and the time that bubblewrap takes grows with the square
 * of their number: 100 took 48 ms, 500 half a second, 1,000 two seconds, and 2,980 are the most that it can do. If there are
 * too many, a directory that holds only matches is masked as a whole.
 */
public final class GlobMasks {
    /** Largest number of masks for the globs of one policy. */
    public static final int MAX_MASKS = 500;

    private final FileView files;
    private final Predicate<LinuxPath> needed;

    /**
     * Makes the reducer of one policy.
     *
     * @param needed returns true if the directory or something below it has to stay visible
     */
    public GlobMasks(FileView files, Predicate<LinuxPath> needed) {
        this.files = files;
        this.needed = needed;
    }

    /**
     * Returns the paths to mask.
     *
     * @param matches by path, none below another
     * @throws PolicyRefusedException if more than {@link #MAX_MASKS} are left
     */
    public Set<LinuxPath> fold(Map<LinuxPath, GlobPattern> matches) {
        Set<LinuxPath> masks = new HashSet<>(matches.keySet());
        while (masks.size() > MAX_MASKS) {
            List<LinuxPath> full = fullDirectories(masks);
            if (full.isEmpty()) {
                throw refusal(matches, masks.size());
            }
            for (LinuxPath directory : full) {
                if (masks.size() > MAX_MASKS) {
                    masks.removeIf(mask -> mask.startsWith(directory));
                    masks.add(directory);
                }
            }
        }
        return masks;
    }

    /** Returns directories that hold masks and nothing else, those with the most masks first. */
    private List<LinuxPath> fullDirectories(Set<LinuxPath> masks) {
        Map<LinuxPath, Integer> counts = new HashMap<>();
        masks.forEach(mask -> counts.merge(mask.parent(), 1, Integer::sum));
        return counts.keySet().stream()
                .filter(directory -> !directory.isRoot() && !needed.test(directory) && full(directory, masks))
                .sorted(Comparator.<LinuxPath>comparingInt(counts::get)
                        .reversed()
                        .thenComparing(path -> path))
                .toList();
    }

    private boolean full(LinuxPath directory, Set<LinuxPath> masks) {
        try {
            return files.list(directory).stream().allMatch(child -> masks.contains(directory.child(child.name())));
        } catch (NotAccessibleException e) {
            return false;
        }
    }

    private static PolicyRefusedException refusal(Map<LinuxPath, GlobPattern> matches, int masks) {
        Map<GlobPattern, Integer> counts = new HashMap<>();
        matches.values().forEach(pattern -> counts.merge(pattern, 1, Integer::sum));
        GlobPattern largest = counts.keySet().stream()
                .max(Comparator.comparingInt(counts::get))
                .orElseThrow();
        return new PolicyRefusedException("the unreadable glob `" + largest + "` matches " + counts.get(largest)
                + " files; hiding what the globs of the profile match takes " + masks + " masks and " + MAX_MASKS
                + " is the limit: deny the directories that hold the files by path, keep the files in directories of"
                + " their own, or set glob_scan_max_depth");
    }
}
