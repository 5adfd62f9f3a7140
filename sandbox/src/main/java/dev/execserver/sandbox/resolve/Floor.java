package dev.execserver.sandbox.resolve;

import dev.execserver.protocol.permissions.Access;
import dev.execserver.sandbox.paths.LinuxPath;
import dev.execserver.sandbox.resolve.ResolvedPolicy.Kind;
import java.util.Comparator;
import java.util.Optional;
import java.util.TreeSet;

/**
 * The most access that any request can get, set by the operator. A request that asks for more is refused as a whole; the
 * message names the first excess. The server never reduces a request in silence. A request without a sandbox asks for
 * everything. Pure.
 *
 * <p>A request stays below the floor if all of these hold:
 *
 * <ul>
 *   <li>it enables the network only if the floor does;
 *   <li>at every path it has no more access than the floor allows: none, reading, or reading and writing. Both sides are
 *       lists of rules in which the most specific rule decides. So comparing them at the paths of all rules of both
 *       compares them everywhere. A request must deny all that the floor denies, protected names and matches of globs
 *       included;
 *   <li>with {@code requireSandbox}, this server restricts its files. A disabled or external profile is not enough, nor is
 *       one that makes everything writable.
 * </ul>
 *
 * <p>An external profile as floor does not limit files; a disabled one limits nothing. Resolve both policies at the same
 * time, because the comparison is about the files as they are at that moment.
 *
 * @param requireSandbox true if every request has to be sandboxed
 * @param policy the resolved profile of the operator; empty for no limit but the above
 */
public record Floor(boolean requireSandbox, Optional<ResolvedPolicy> policy) {

    /** Reason for refusing the network. */
    public static final String NO_NETWORK = "the operator's floor (--sandbox-floor) gives no access to the network";

    /** A floor without any limit. */
    public static final Floor NONE = new Floor(false, Optional.empty());

    /**
     * Returns the reason for refusing the request; empty if it is accepted.
     *
     * @param requested the resolved request; {@link ResolvedPolicy#UNSANDBOXED} for a request without a sandbox
     */
    public Optional<String> check(ResolvedPolicy requested) {
        if (requireSandbox && (requested.kind() != Kind.RESTRICTED || requested.fullWrite())) {
            return Optional.of("this server runs nothing without a sandbox (--require-sandbox), and the request "
                    + (requested.kind() == Kind.RESTRICTED
                            ? "makes every file writable"
                            : "has " + words(requested.kind()))
                    + "; send a managed profile that restricts files");
        }
        return policy.flatMap(floor -> excess(requested, floor));
    }

    private static Optional<String> excess(ResolvedPolicy requested, ResolvedPolicy floor) {
        if (floor.kind() == Kind.DISABLED) {
            return Optional.empty();
        }
        if (requested.network().enabled() && !floor.network().enabled()) {
            return Optional.of("the request enables the network, and " + NO_NETWORK + "; ask for a restricted one");
        }
        if (floor.kind() == Kind.EXTERNAL) {
            return Optional.empty();
        }
        TreeSet<LinuxPath> places = new TreeSet<>(Comparator.naturalOrder());
        places.add(LinuxPath.ROOT);
        requested.rules().forEach(rule -> places.add(rule.path()));
        floor.rules().forEach(rule -> places.add(rule.path()));
        return places.stream()
                .filter(place -> rank(requested.access(place)) > rank(floor.access(place)))
                .findFirst()
                .map(place -> refusal(place, requested, floor));
    }

    private static String refusal(LinuxPath place, ResolvedPolicy requested, ResolvedPolicy floor) {
        String wanted = requested.rules().isEmpty() ? words(requested.kind()) + " gives" : "the request gives";
        return "the operator's floor (--sandbox-floor) allows " + words(floor.access(place)) + " " + place + ", and "
                + wanted + (requested.access(place) == Access.WRITE ? " writing to it" : " reading of it")
                + "; ask for a managed profile that gives no more";
    }

    private static int rank(Access access) {
        return switch (access) {
            case DENY -> 0;
            case READ -> 1;
            case WRITE -> 2;
        };
    }

    private static String words(Access access) {
        return switch (access) {
            case DENY -> "no access to";
            case READ -> "only reading of";
            case WRITE -> "writing to";
        };
    }

    private static String words(Kind kind) {
        return switch (kind) {
            case DISABLED -> "no sandbox";
            case EXTERNAL -> "an external sandbox";
            case UNRESTRICTED -> "unrestricted files";
            case RESTRICTED -> "a managed profile";
        };
    }
}
