package dev.execserver.sandbox.resolve;

import dev.execserver.protocol.permissions.Access;
import dev.execserver.sandbox.paths.CrossedLink;
import dev.execserver.sandbox.paths.FileView;
import dev.execserver.sandbox.paths.FileView.Kind;
import dev.execserver.sandbox.paths.FileView.Status;
import dev.execserver.sandbox.paths.LinuxPath;
import dev.execserver.sandbox.paths.PathWalk;
import dev.execserver.sandbox.paths.PathWalk.Located;
import dev.execserver.sandbox.resolve.Rule.Origin;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/** Collects the rules of one policy. The first rule for a path stays. One thread uses it. */
final class RuleDraft {
    private final FileView files;
    private final PathWalk walk;
    private final Map<LinuxPath, Rule> rules = new TreeMap<>();
    private final Set<CrossedLink> passed = new LinkedHashSet<>();
    private final Set<CrossedLink> guarded = new LinkedHashSet<>();

    RuleDraft(FileView files, PathWalk walk) {
        this.files = files;
        this.walk = walk;
    }

    boolean has(LinuxPath path) {
        return rules.containsKey(path);
    }

    /** Returns the access that the rules so far give to a path. */
    Access access(LinuxPath path) {
        return governing(rules, path).map(Rule::access).orElse(Access.DENY);
    }

    /** Returns true if a rule so far decides about the path. */
    boolean governed(LinuxPath path) {
        return governing(rules, path).isPresent();
    }

    /** Adds a rule for the file; if it is missing, a rule that keeps it from being created. */
    void add(Located at, Access access, Origin origin) {
        add(at, access, origin, false);
    }

    /**
     * Adds a rule as above.
     *
     * @param empty true if the file or directory has no content
     */
    void add(Located at, Access access, Origin origin, boolean empty) {
        if (at.exists()) {
            put(new Rule(at.path(), access, origin, found(at.status().get(), empty)));
            if (access.readable()) {
                passed.addAll(at.links());
            }
        } else {
            at.firstMissing().ifPresent(first -> block(first, origin));
        }
    }

    /** Records the links on the way of an entry. Another entry may be the reason that its target is shown. */
    void reached(Located at) {
        if (at.exists() && access(at.path()).readable()) {
            passed.addAll(at.links());
        }
    }

    /** Records a link that cannot be mounted over, so that it is compared after the command has ended. */
    void guard(CrossedLink link) {
        guarded.add(link);
    }

    /**
     * Keeps a missing path from being created. A file in place of one of its parents becomes read-only: as a mount, it cannot
     * be replaced by a directory.
     */
    private void block(LinuxPath first, Origin origin) {
        Located above = walk.locate(first.parent());
        if (above.exists() && !above.directory()) {
            put(new Rule(
                    above.path(),
                    Access.READ,
                    Origin.PINNED,
                    found(above.status().get(), false)));
            return;
        }
        put(new Rule(first, Access.READ, origin, new RuleTarget.Missing(first)));
    }

    private void put(Rule rule) {
        rules.putIfAbsent(rule.path(), rule);
    }

    private static RuleTarget found(Status status, boolean empty) {
        return status.kind() == Kind.DIRECTORY
                ? new RuleTarget.Directory(status.id(), empty)
                : new RuleTarget.File(status.id(), empty);
    }

    /** Replaces the rule of the path, for rules that must win over all others. */
    void force(Located at, Access access, Origin origin) {
        rules.remove(at.path());
        add(at, access, origin);
    }

    /** Takes write access away and gives no other. */
    void protect(Located at, Origin origin) {
        Rule known = rules.get(at.path());
        if (known == null || known.access().writable()) {
            force(at, Access.READ, origin);
        }
    }

    /** Returns the rules without those that change nothing; parents before children. */
    List<Rule> finish(List<LinuxPath> searched) {
        Map<LinuxPath, Rule> kept = new TreeMap<>();
        for (Rule rule : rules.values()) {
            Access around =
                    governing(kept, rule.path().parent()).map(Rule::access).orElse(Access.DENY);
            boolean top = rule.path().isRoot();
            if (changes(rule, top ? Access.DENY : around)) {
                kept.put(rule.path(), rule);
            }
        }
        pin(kept, searched);
        return List.copyOf(kept.values());
    }

    private boolean changes(Rule rule, Access around) {
        if (rule.missing()) {
            return around.writable() && files.creatable(rule.path().parent());
        }
        return switch (rule.access()) {
            case DENY -> around.readable();
            // A root inside a root is a mount of its own, so that it cannot be moved away.
            case WRITE -> true;
            case READ ->
                switch (rule.origin()) {
                    // Protections take access away and never give any.
                    case PROTECTED_NAME, GIT_DIRECTORY, PINNED, SERVER_SETTINGS, INSTALLATION -> around.writable();
                    case ENTRY, PLATFORM_DEFAULT, GLOB, SERVER -> around != Access.READ;
                };
        };
    }

    /** Adds {@link Origin#PINNED} rules. Matches of globs need none: if a match is moved, its mask moves along. */
    private void pin(Map<LinuxPath, Rule> kept, List<LinuxPath> searched) {
        List<LinuxPath> anchored = new ArrayList<>(searched);
        kept.values().stream()
                .filter(rule -> rule.origin() != Origin.GLOB)
                .map(Rule::path)
                .filter(path -> !path.isRoot())
                .map(LinuxPath::parent)
                .forEach(anchored::add);
        for (LinuxPath path : anchored) {
            for (LinuxPath above : path.lineage()) {
                boolean inside = governing(kept, above)
                        .filter(rule -> rule.access().writable() && !rule.path().equals(above))
                        .isPresent();
                Located at = inside ? walk.locate(above) : null;
                if (at != null && at.directory() && at.links().isEmpty()) {
                    kept.put(
                            above,
                            new Rule(
                                    above,
                                    Access.WRITE,
                                    Origin.PINNED,
                                    found(at.status().get(), false)));
                }
            }
        }
    }

    static Optional<Rule> governing(Map<LinuxPath, Rule> rules, LinuxPath path) {
        return path.lineage().reversed().stream()
                .filter(rules::containsKey)
                .findFirst()
                .map(rules::get);
    }

    /** Returns the links to readable places that lie where no rule applies. Links in denied directories are left out. */
    List<CrossedLink> aliases(List<Rule> finished) {
        Map<LinuxPath, Rule> byPath = new TreeMap<>();
        finished.forEach(rule -> byPath.put(rule.path(), rule));
        Map<LinuxPath, CrossedLink> aliases = new TreeMap<>();
        for (CrossedLink link : passed) {
            if (governing(byPath, link.path().parent()).isEmpty()) {
                aliases.put(link.path(), link);
            }
        }
        return List.copyOf(aliases.values());
    }

    List<CrossedLink> guardedLinks() {
        return List.copyOf(guarded);
    }
}
