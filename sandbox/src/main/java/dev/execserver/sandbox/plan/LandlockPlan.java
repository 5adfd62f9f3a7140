package dev.execserver.sandbox.plan;

import dev.execserver.protocol.permissions.Access;
import dev.execserver.sandbox.landlock.LandlockRestriction;
import dev.execserver.sandbox.paths.LinuxPath;
import dev.execserver.sandbox.resolve.ResolvedPolicy;
import dev.execserver.sandbox.resolve.Rule;
import dev.execserver.sandbox.resolve.RuleTarget;
import dev.execserver.sandbox.seccomp.FilterMode;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * The Landlock rules for one command: everything is readable, and the given places are writable. Landlock can only add rights
 * to deeper paths, never remove them. It does not control changes of modes, owners and times, so those are denied everywhere.
 *
 * @param abi version of Landlock
 * @param writable places that existed when the policy was resolved
 * @param filter system call filter, which controls the network
 */
public record LandlockPlan(int abi, List<Rule> writable, FilterMode filter) {
    public LandlockPlan {
        writable = List.copyOf(writable);
    }

    /** Returns the reason why Landlock cannot enforce the policy exactly; empty if it can. */
    public static Optional<String> obstacle(ResolvedPolicy policy, OptionalInt abi) {
        if (abi.isEmpty() || abi.getAsInt() < LandlockRestriction.LOWEST_ABI) {
            return Optional.of("Landlock of version " + LandlockRestriction.LOWEST_ABI
                    + " or newer is needed, this kernel has " + (abi.isEmpty() ? "none" : "version " + abi.getAsInt()));
        }
        if (policy.access(LinuxPath.ROOT) != Access.READ) {
            return Optional.of(
                    policy.access(LinuxPath.ROOT) == Access.WRITE
                            ? "Landlock cannot keep parts of a writable file system from being written"
                            : "Restricted read-only access is not supported by the legacy Linux Landlock filesystem backend.");
        }
        return policy.rules().stream()
                .filter(rule -> narrows(rule, policy))
                .findFirst()
                .map(LandlockPlan::narrowed);
    }

    private static String narrowed(Rule rule) {
        if (rule.origin() == Rule.Origin.SERVER) {
            return "Landlock cannot hide " + rule.path() + ", which an option of the server names (--state-dir,"
                    + " --ws-token-file, --ws-shared-secret-file, --tls-key or --access-log-file); start the server without that"
                    + " option, or let bubblewrap build the sandboxes (--sandbox-backend auto)";
        }
        return "Landlock can only add rights further down, and " + rule.path() + " is to be "
                + (rule.access() == Access.DENY ? "hidden" : "read-only") + " ("
                + "permission profiles requiring direct runtime enforcement are incompatible with"
                + " --use-legacy-landlock)";
    }

    private static boolean narrows(Rule rule, ResolvedPolicy policy) {
        if (rule.path().isRoot() || rule.access() == Access.WRITE) {
            return false;
        }
        return rule.access() == Access.DENY || policy.access(rule.path().parent()) == Access.WRITE;
    }

    /** Returns the plan for a policy that has no obstacle. */
    public static LandlockPlan of(ResolvedPolicy policy, int abi, FilterMode filter) {
        return new LandlockPlan(
                abi,
                policy.rules().stream()
                        .filter(rule -> rule.access() == Access.WRITE && !(rule.found() instanceof RuleTarget.Missing))
                        .toList(),
                filter);
    }
}
