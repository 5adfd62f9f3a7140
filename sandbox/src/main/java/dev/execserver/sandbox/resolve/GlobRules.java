package dev.execserver.sandbox.resolve;

import dev.execserver.protocol.permissions.Access;
import dev.execserver.sandbox.glob.GlobMasks;
import dev.execserver.sandbox.glob.GlobMatch;
import dev.execserver.sandbox.glob.GlobPattern;
import dev.execserver.sandbox.glob.GlobScan;
import dev.execserver.sandbox.glob.Ripgrep;
import dev.execserver.sandbox.glob.RipgrepScan;
import dev.execserver.sandbox.glob.WalkScan;
import dev.execserver.sandbox.paths.CrossedLink;
import dev.execserver.sandbox.paths.FileView;
import dev.execserver.sandbox.paths.FileView.Kind;
import dev.execserver.sandbox.paths.LinuxPath;
import dev.execserver.sandbox.paths.PathWalk;
import dev.execserver.sandbox.paths.PathWalk.Located;
import dev.execserver.sandbox.paths.PolicyRefusedException;
import dev.execserver.sandbox.paths.ProcPlaces;
import dev.execserver.sandbox.resolve.Rule.Origin;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.TreeMap;
import java.util.function.Supplier;

/** Turns unreadable globs into rules for their present matches. One thread uses it, for one policy. */
final class GlobRules {
    private final FileView files;
    private final PathWalk walk;
    private final Grants grants;
    private final RuleDraft draft;
    private final Supplier<Optional<Ripgrep>> ripgrep;
    private final List<LinuxPath> searched = new ArrayList<>();
    /** Matches that are symbolic links which the command can change. */
    private final List<GlobMatch> writableLinks = new ArrayList<>();

    GlobRules(FileView files, PathWalk walk, Grants grants, RuleDraft draft, Supplier<Optional<Ripgrep>> ripgrep) {
        this.files = files;
        this.walk = walk;
        this.grants = grants;
        this.draft = draft;
        this.ripgrep = ripgrep;
    }

    /** Returns the directories that were searched. */
    List<LinuxPath> searched() {
        return searched;
    }

    void add(List<GlobPattern> patterns, OptionalInt depth, PolicyDirectories directories) {
        Map<LinuxPath, List<GlobPattern>> byRoot = new LinkedHashMap<>();
        patterns.forEach(pattern -> byRoot.computeIfAbsent(pattern.root(), root -> new ArrayList<>())
                .add(pattern));
        Map<LinuxPath, GlobPattern> matches = new TreeMap<>();
        byRoot.forEach((root, group) -> search(root, group, depth, matches));
        writableLinks.forEach(match -> requireDenied(match, matches));
        List<LinuxPath> needed = new ArrayList<>(directories.workspaceRoots().stream()
                .map(root -> walk.locate(root).path())
                .toList());
        directories.cwd().ifPresent(cwd -> needed.add(walk.locate(cwd).path()));
        GlobMasks masks = new GlobMasks(
                files,
                directory -> needed.stream().anyMatch(path -> path.startsWith(directory))
                        || grants.all().stream()
                                .anyMatch(grant -> grant.at().path().startsWith(directory)));
        masks.fold(matches).forEach(path -> draft.force(walk.locate(path), Access.DENY, Origin.GLOB));
    }

    /** Chooses ripgrep unless commands can replace its program. */
    private GlobScan scan() {
        return ripgrep.get()
                .filter(rg -> rg.pinned() || !grants.writable(rg.program()))
                .<GlobScan>map(rg -> new RipgrepScan(
                        rg.program(), rg.runner(), new WalkScan(files, grants::writable, kind -> kind != Kind.REGULAR)))
                .orElseGet(() -> new WalkScan(files, grants::writable));
    }

    private void search(
            LinuxPath literal, List<GlobPattern> group, OptionalInt depth, Map<LinuxPath, GlobPattern> matches) {
        Located root = walk.locate(literal);
        refuseLinks(root, group.getFirst(), literal);
        List<GlobPattern> plain =
                group.stream().filter(pattern -> pattern.relative().isEmpty()).toList();
        if (!plain.isEmpty() && root.exists()) {
            matches.put(root.path(), plain.getFirst());
            return;
        }
        if (!root.directory()) {
            return;
        }
        refuseProcesses(root.path(), group.getFirst());
        searched.add(root.path());
        for (GlobMatch match : scan().scan(root.path(), group, depth)) {
            if (match.kind() != Kind.SYMLINK) {
                matches.put(match.path(), match.pattern());
                continue;
            }
            Located target = walk.locate(match.path());
            if (writable(target.links()).isPresent()) {
                writableLinks.add(match);
                continue;
            }
            refuseAbove(target.path(), match);
            // Skips /proc/self and its like: inside of the sandbox such a link leads to another process.
            if (target.exists() && !ProcPlaces.ofWhoeverAsks(target.links())) {
                matches.put(target.path(), match.pattern());
            }
        }
    }

    /**
     * Refuses globs below /proc: its processes come and go, and those of the sandbox do not exist yet. A search would only
     * take long.
     */
    private static void refuseProcesses(LinuxPath root, GlobPattern pattern) {
        if (root.startsWith(ProcPlaces.PROC)) {
            throw new PolicyRefusedException("the unreadable glob `" + pattern
                    + "` is about /proc, and a sandbox has one" + " with other processes; deny /proc by path");
        }
    }

    /** Refuses a link whose target holds a path that the profile grants: hiding the target would hide that path. */
    private void refuseAbove(LinuxPath target, GlobMatch match) {
        grants.all().stream()
                .filter(grant -> grant.access().readable() && grant.at().path().startsWith(target))
                .findFirst()
                .ifPresent(grant -> {
                    throw new PolicyRefusedException("the unreadable glob `" + match.pattern() + "` matches the link "
                            + match.path() + " to " + target + ", which holds "
                            + grant.wanted().literal()
                            + " that the profile grants; remove the link");
                });
    }

    private Optional<CrossedLink> writable(List<CrossedLink> links) {
        return links.stream().filter(link -> grants.writable(link.path())).findFirst();
    }

    /** Refuses a search root behind a link that the command can change, because the next search would start elsewhere. */
    private void refuseLinks(Located root, GlobPattern pattern, LinuxPath literal) {
        writable(root.links()).ifPresent(link -> {
            throw new PolicyRefusedException("cannot enforce the unreadable glob `" + pattern + "` for " + literal
                    + " because it crosses writable symlink " + link.path() + "; write the glob with the path that it"
                    + " leads to, " + root.path());
        });
    }

    /**
     * Refuses a writable link to a file that nothing else denies: the file becomes readable as soon as the command has
     * changed the link. An entry must deny the file by path, or the file itself must match. A missing target needs no denial.
     */
    private void requireDenied(GlobMatch match, Map<LinuxPath, GlobPattern> matches) {
        Located target = walk.locate(match.path());
        boolean denied = !target.exists()
                || !grants.access(target.path()).readable()
                || target.path().lineage().stream().anyMatch(matches::containsKey);
        if (!denied) {
            throw new PolicyRefusedException("cannot enforce the unreadable glob `" + match.pattern() + "` for "
                    + match.path() + " because it crosses writable symlink "
                    + writable(target.links()).orElseThrow().path() + "; deny what the link leads to, "
                    + target.path() + ", by path as well, or remove the link");
        }
    }
}
