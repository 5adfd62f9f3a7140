package dev.execserver.sandbox.resolve;

import dev.execserver.protocol.permissions.Access;
import dev.execserver.sandbox.resolve.ResolvedPolicy.Kind;
import java.util.Comparator;
import java.util.Optional;
import java.util.TreeSet;

/**
 * The most that any request can get, set by whoever runs the server. A request that asks for more is refused as a whole, with
 * the first thing it asks too much of; it is never cut down in silence. Asking for no sandbox is asking for everything. Pure.
 *
 * <p>A request stays below the floor when
 *
 * <ul>
 *   <li>it enables the network only where the floor does;
 *   <li>for every path, it may do there no more than the floor allows: nothing, reading, or reading and writing. Both sides
 *       are lists of rules of which the most specific decides, so comparing them at the paths of all rules of both is
 *       comparing them everywhere. What the floor denies, a request must deny too, protected names and matches of globs
 *       included;
 *   <li>with {@code requireSandbox}, its files are restricted by us: a disabled or external profile does not do, nor does
 *       one in which everything is writable.
 * </ul>
 *
 * <p>A disabled or external profile as floor says nothing about files; the former says nothing at all. Both policies have to
 * be resolved at the same time: what lies where is compared as it is now.
 *
 * @param requireSandbox whether every request has to be sandboxed
 * @param policy the resolved profile of the operator; empty for no bound but the above
 */
public record Floor(boolean requireSandbox, Optional<ResolvedPolicy> policy) {

    /** Why nothing gets to the network. */
    public static final String NO_NETWORK = "the operator's floor (--sandbox-floor) gives no access to the network";

    /** No bound. */
    public static final Floor NONE = new Floor(false, Optional.empty());

    /**
     * Why the request is refused; empty when it is not.
     *
     * @param requested as resolved; for a request without a sandbox {@link ResolvedPolicy#UNSANDBOXED}
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
