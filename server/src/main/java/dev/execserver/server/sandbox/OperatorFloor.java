package dev.execserver.server.sandbox;

import dev.execserver.protocol.environment.SandboxStatus;
import dev.execserver.protocol.permissions.NetworkPolicy;
import dev.execserver.protocol.permissions.PermissionProfile;
import dev.execserver.protocol.permissions.SandboxContext;
import dev.execserver.protocol.rpc.RpcException;
import dev.execserver.sandbox.resolve.Floor;
import dev.execserver.sandbox.resolve.PolicyDirectories;
import dev.execserver.sandbox.resolve.PolicyRefusedException;
import dev.execserver.sandbox.resolve.PolicyResolver;
import dev.execserver.sandbox.resolve.ResolvedPolicy;
import dev.execserver.server.config.ConfigException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.UnaryOperator;

/**
 * The bound that the operator has set with {@code --require-sandbox} and {@code --sandbox-floor}, for everything that a
 * client can make this server do. The profile is resolved for each request anew, with the directories of the server and at
 * the same time as the request, because what lies where can change. Immutable; what resolves is called on file workers.
 */
public final class OperatorFloor {
    private final boolean required;
    private final Optional<FloorProfile> source;
    private final Optional<SandboxContext> profile;
    private final Map<String, String> environment;

    /** @param environment of the server, for TMPDIR and HOME */
    OperatorFloor(boolean required, Optional<FloorProfile> source, Map<String, String> environment) {
        this.required = required;
        this.source = source;
        this.profile = source.map(FloorProfile::context);
        this.environment = environment;
    }

    /** Whether nothing is bounded, so that there is nothing to look at. */
    public boolean none() {
        return !required && profile.isEmpty();
    }

    /**
     * The context that a file call runs under. One that asks for no sandbox runs under the floor itself: clients leave the
     * sandbox out where they only read, and lose nothing that the floor gives.
     *
     * @throws RpcException when a sandbox has to be asked for
     */
    public Optional<SandboxContext> forFiles(Optional<SandboxContext> requested) {
        if (requested.isPresent()) {
            return requested;
        }
        Optional<SandboxContext> ours =
                profile.filter(context -> context.permissions() instanceof PermissionProfile.Managed);
        if (ours.isEmpty() && required) {
            throw refusal(
                    "this server touches no file without a sandbox (--require-sandbox); send a managed profile that "
                            + "restricts files");
        }
        return ours;
    }

    /**
     * Looks whether a request stays below the floor.
     *
     * @param resolver that the request was resolved with
     * @param change what becomes of the operator's profile before
     * @throws RpcException when it does not; the text says what is too much
     */
    void check(ResolvedPolicy requested, PolicyResolver resolver, UnaryOperator<PermissionProfile> change) {
        if (none()) {
            return;
        }
        new Floor(required, resolve(resolver, change)).check(requested).ifPresent(why -> {
            throw refusal(why);
        });
    }

    /** As above, for a call that touches nothing but files. */
    void checkFiles(ResolvedPolicy requested, PolicyResolver resolver, UnaryOperator<PermissionProfile> change) {
        check(requested.withNetwork(NetworkPolicy.RESTRICTED), resolver, change);
    }

    /**
     * Tries whether the floor can be resolved at all.
     *
     * @return warnings about entries without effect, and about commands that could change the floor
     * @throws ConfigException when it cannot
     */
    List<String> examine(PolicyResolver resolver) {
        try {
            Optional<ResolvedPolicy> floor = resolve(resolver, UnaryOperator.identity());
            List<String> warnings =
                    new ArrayList<>(floor.map(ResolvedPolicy::warnings).orElse(List.of()));
            floor.flatMap(policy -> FloorFileCheck.warning(source.orElseThrow(), policy))
                    .ifPresent(warnings::add);
            return List.copyOf(warnings);
        } catch (PolicyRefusedException e) {
            throw ConfigException.failure(
                    "the permission profile of --sandbox-floor cannot be enforced: " + e.getMessage());
        }
    }

    /** For clients that want to know what they can ask for. */
    SandboxStatus.Floor status() {
        return new SandboxStatus.Floor(
                required, source.map(floor -> floor.file().toString()), profile.map(SandboxContext::permissions));
    }

    /** The floor as the files are now. */
    Optional<ResolvedPolicy> resolve(PolicyResolver resolver, UnaryOperator<PermissionProfile> change) {
        return profile.map(context -> resolver.resolve(
                change.apply(context.permissions()), PolicyDirectories.of(context, Optional.empty(), environment)));
    }

    /**
     * For what goes to the network without a sandbox.
     *
     * @param what begins the refusal
     * @throws RpcException when the floor has no network
     */
    public void checkNetwork(String what) {
        boolean restricted = profile.map(SandboxContext::permissions)
                .filter(ours -> !ours.networkPolicy().enabled())
                .isPresent();
        if (restricted) {
            throw refusal(what + ": " + Floor.NO_NETWORK);
        }
    }

    static RpcException refusal(String why) {
        return RpcException.invalidParams(why).withData("reason", "sandboxFloor");
    }
}
