package dev.execserver.sandbox.resolve;

import dev.execserver.protocol.permissions.Access;
import dev.execserver.protocol.permissions.NetworkPolicy;
import dev.execserver.sandbox.paths.CrossedLink;
import dev.execserver.sandbox.paths.LinuxPath;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The access of one command, as rules with canonical paths. The rule at a path, or at its nearest parent that has one,
 * decides; without a rule a path is invisible. A backend builds the view by applying the rules in order, each over the
 * earlier ones.
 *
 * @param kind form of the profile
 * @param fullRead true if every file is readable without exception (the server's own files do not count)
 * @param fullWrite true if every file is writable without exception (the server's own files do not count)
 * @param platformDefaults true if {@code minimal} switched the platform's directories on
 * @param rules parents before children, each path once; no rule at all for {@link Kind#DISABLED} and {@link Kind#EXTERNAL}. A
 *     missing path has a rule only if the command could otherwise create it
 * @param aliases links to readable places that lie where no rule applies. A view that is built from nothing must recreate
 *     them, or the names in the profile do not lead to the places. Links in a denied directory are not among them
 * @param guardedLinks protected names that are symbolic links inside a writable root, and further links on their way. Their
 *     targets have rules. A link cannot be mounted over, so the links are compared after the command has ended
 * @param warnings for the operator: entries without effect and the like
 */
public record ResolvedPolicy(
        Kind kind,
        NetworkPolicy network,
        boolean fullRead,
        boolean fullWrite,
        boolean platformDefaults,
        List<Rule> rules,
        List<CrossedLink> aliases,
        List<CrossedLink> guardedLinks,
        List<String> warnings) {

    /** Form of the profile. */
    public enum Kind {
        /** Managed, with entries. */
        RESTRICTED,
        /** Managed, without restrictions on files. */
        UNRESTRICTED,
        /** No sandbox at all. */
        DISABLED,
        /** The files are restricted by something outside of this server. */
        EXTERNAL
    }

    public ResolvedPolicy {
        rules = List.copyOf(rules);
        aliases = List.copyOf(aliases);
        guardedLinks = List.copyOf(guardedLinks);
        warnings = List.copyOf(warnings);
    }

    /** The policy of a request without a sandbox. */
    public static final ResolvedPolicy UNSANDBOXED = open(Kind.DISABLED, NetworkPolicy.ENABLED);

    /** Returns a policy without rules, for {@link Kind#DISABLED} and {@link Kind#EXTERNAL}. */
    static ResolvedPolicy open(Kind kind, NetworkPolicy network) {
        return new ResolvedPolicy(kind, network, true, true, false, List.of(), List.of(), List.of(), List.of());
    }

    /** Returns a copy with another network. */
    public ResolvedPolicy withNetwork(NetworkPolicy newNetwork) {
        return new ResolvedPolicy(
                kind, newNetwork, fullRead, fullWrite, platformDefaults, rules, aliases, guardedLinks, warnings);
    }

    /** Returns a copy with these rules, which must have the same order. */
    public ResolvedPolicy withRules(List<Rule> newRules) {
        return new ResolvedPolicy(
                kind, network, fullRead, fullWrite, platformDefaults, newRules, aliases, guardedLinks, warnings);
    }

    /** Returns the names that do not exist and must not be created. */
    public List<LinuxPath> missing() {
        return rules.stream().filter(Rule::missing).map(Rule::path).toList();
    }

    /** Returns a copy without the rules for names that do not exist. */
    public ResolvedPolicy withoutMissing() {
        return withRules(rules.stream().filter(rule -> !rule.missing()).toList());
    }

    /**
     * Returns the access to the file at a canonical path. Resolve symbolic links first, because a rule knows no other names;
     * {@link PolicyAccess} does both. A sandbox has its own devices and processes, so for {@code /dev} and {@code /proc} the
     * result is about those of the host.
     */
    public Access access(LinuxPath path) {
        if (kind == Kind.DISABLED || kind == Kind.EXTERNAL) {
            return Access.WRITE;
        }
        return governing(path).map(Rule::access).orElse(Access.DENY);
    }

    /** Returns the rule that decides about the path: the one at it or at its nearest parent. */
    public Optional<Rule> governing(LinuxPath path) {
        // Rules are ordered by depth, so the last one that fits is the most specific.
        for (Rule rule : rules.reversed()) {
            if (path.startsWith(rule.path())) {
                return Optional.of(rule);
            }
        }
        return Optional.empty();
    }

    /** Returns the rules strictly below the path, parents before children. */
    public List<Rule> below(LinuxPath path) {
        return rules.stream().filter(rule -> rule.path().below(path)).toList();
    }

    /** Returns true if something below a denied directory is visible, so that the mask of the directory must be passable. */
    public boolean opensBelow(LinuxPath path) {
        return rules.stream()
                .anyMatch(rule -> rule.path().below(path) && rule.access().readable() && !rule.missing());
    }

    /** Returns the readable and writable places by path, for backends that can only add access. */
    public Map<LinuxPath, Access> grants() {
        Map<LinuxPath, Access> grants = new HashMap<>();
        for (Rule rule : rules) {
            if (rule.access().readable() && !rule.missing()) {
                grants.put(rule.path(), rule.access());
            }
        }
        return Map.copyOf(grants);
    }
}
