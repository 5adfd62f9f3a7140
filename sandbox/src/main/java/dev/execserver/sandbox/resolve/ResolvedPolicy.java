package dev.execserver.sandbox.resolve;

import dev.execserver.protocol.permissions.Access;
import dev.execserver.protocol.permissions.NetworkPolicy;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What a command may touch, in canonical paths: the rule at or next above a path decides about it, and where there is none
 * nothing is visible. A backend that applies the rules in their order, each over what was there before, has built the view.
 *
 * @param kind which form the profile has
 * @param fullRead every file is readable, without exception (exceptions of the server's own do not count)
 * @param fullWrite every file is writable, without exception (as above)
 * @param platformDefaults whether {@code minimal} switched the platform's directories on
 * @param rules parents before children, each path once; no rule at all for {@link Kind#DISABLED} and {@link
 *     Kind#EXTERNAL}. A missing path has a rule only where the command could otherwise create it
 * @param aliases links to readable places that themselves lie where no rule says anything: a view that is put together
 *     from nothing must recreate them, or the places cannot be reached by the names the profile gives them. Links in a
 *     denied directory are not among them
 * @param guardedLinks protected names that are symbolic links inside a writable root, and further links on their way. What
 *     they point to has a rule; the links cannot be mounted over, so they have to be compared when the command has ended
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

    /** Which form the profile has. */
    public enum Kind {
        /** Managed, with entries. */
        RESTRICTED,
        /** Managed, the file system left alone. */
        UNRESTRICTED,
        /** No sandbox at all. */
        DISABLED,
        /** Somebody else guards the files. */
        EXTERNAL
    }

    public ResolvedPolicy {
        rules = List.copyOf(rules);
        aliases = List.copyOf(aliases);
        guardedLinks = List.copyOf(guardedLinks);
        warnings = List.copyOf(warnings);
    }

    /** What a request without a sandbox gets. */
    public static final ResolvedPolicy UNSANDBOXED = open(Kind.DISABLED, NetworkPolicy.ENABLED);

    /** A policy without rules, for {@link Kind#DISABLED} and {@link Kind#EXTERNAL}. */
    static ResolvedPolicy open(Kind kind, NetworkPolicy network) {
        return new ResolvedPolicy(kind, network, true, true, false, List.of(), List.of(), List.of(), List.of());
    }

    /** The same with another network. */
    public ResolvedPolicy withNetwork(NetworkPolicy newNetwork) {
        return new ResolvedPolicy(
                kind, newNetwork, fullRead, fullWrite, platformDefaults, rules, aliases, guardedLinks, warnings);
    }

    /** The same with these rules, which must be ordered alike. */
    public ResolvedPolicy withRules(List<Rule> newRules) {
        return new ResolvedPolicy(
                kind, network, fullRead, fullWrite, platformDefaults, newRules, aliases, guardedLinks, warnings);
    }

    /** The names that do not exist and must not be made. */
    public List<LinuxPath> missing() {
        return rules.stream().filter(Rule::missing).map(Rule::path).toList();
    }

    /** The same without the rules for names that do not exist. */
    public ResolvedPolicy withoutMissing() {
        return withRules(rules.stream().filter(rule -> !rule.missing()).toList());
    }

    /**
     * What may be done with the file at a canonical path. A path with symbolic links in it must be resolved first: a rule
     * knows nothing of other names. {@link PolicyAccess} does both. A sandbox has devices and processes of its own,
     * so for {@code /dev} and {@code /proc} this says what of the host's may be seen.
     */
    public Access access(LinuxPath path) {
        if (kind == Kind.DISABLED || kind == Kind.EXTERNAL) {
            return Access.WRITE;
        }
        return governing(path).map(Rule::access).orElse(Access.DENY);
    }

    /** The rule that decides about the path: the one at it or next above it. */
    public Optional<Rule> governing(LinuxPath path) {
        // Rules are ordered by depth, so the last one that fits is the most specific.
        for (Rule rule : rules.reversed()) {
            if (path.startsWith(rule.path())) {
                return Optional.of(rule);
            }
        }
        return Optional.empty();
    }

    /** The rules strictly below the path, parents before children. */
    public List<Rule> below(LinuxPath path) {
        return rules.stream().filter(rule -> rule.path().below(path)).toList();
    }

    /** Whether something below a denied directory is visible, so that its mask must let through. */
    public boolean opensBelow(LinuxPath path) {
        return rules.stream()
                .anyMatch(rule -> rule.path().below(path) && rule.access().readable() && !rule.missing());
    }

    /** The rules that give access other than none, by path, for backends that can only add. */
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
