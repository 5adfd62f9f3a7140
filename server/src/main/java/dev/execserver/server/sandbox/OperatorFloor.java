package dev.execserver.server.sandbox;

import dev.execserver.cli.local.ConfigException;
import dev.execserver.protocol.environment.SandboxStatus;
import dev.execserver.protocol.permissions.NetworkPolicy;
import dev.execserver.protocol.permissions.PermissionProfile;
import dev.execserver.protocol.permissions.SandboxContext;
import dev.execserver.protocol.rpc.RpcException;
import dev.execserver.sandbox.paths.PolicyRefusedException;
import dev.execserver.sandbox.resolve.Floor;
import dev.execserver.sandbox.resolve.PolicyDirectories;
import dev.execserver.sandbox.resolve.PolicyResolver;
import dev.execserver.sandbox.resolve.ResolvedPolicy;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.UnaryOperator;

/**
 * The limit that the operator has set with {@code --require-sandbox} and {@code --sandbox-floor} for all requests of
 * clients. The profile is resolved anew for each request, with the server's directories and at the same time as the
 * request, because files can move. Immutable; methods that resolve are called on file workers.
 */
public final class OperatorFloor {
    private final boolean required;
    private final Optional<FloorProfile> source;
    private final Optional<SandboxContext> profile;
    private final Map<String, String> environment;

    /** @param environment the server's environment, for TMPDIR and HOME */
    OperatorFloor(boolean required, Optional<FloorProfile> source, Map<String, String> environment) {
        this.required = required;
        this.source = source;
        this.profile = source.map(FloorProfile::context);
        this.environment = environment;
    }

    /** Returns true if there is no limit, so that nothing needs a check. */
    public boolean none() {
        return !required && profile.isEmpty();
    }

    /**
     * Returns the context of a file operation. An operation without a sandbox runs under the floor itself: clients omit
     * the sandbox for plain reads, and lose nothing that the floor permits.
     *
     * @throws RpcException if the request must name a sandbox
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
     * Checks that a request stays within the floor.
     *
     * @param resolver the resolver of the request
     * @param change is applied to the operator's profile first
     * @throws RpcException if it does not; the text says which part exceeds the floor
     */
    void check(ResolvedPolicy requested, PolicyResolver resolver, UnaryOperator<PermissionProfile> change) {
        if (none()) {
            return;
        }
        new Floor(required, resolve(resolver, change)).check(requested).ifPresent(why -> {
            throw refusal(why);
        });
    }

    /** Checks a file operation like {@link #check}, without regard to the network. */
    void checkFiles(ResolvedPolicy requested, PolicyResolver resolver, UnaryOperator<PermissionProfile> change) {
        check(requested.withNetwork(NetworkPolicy.RESTRICTED), resolver, change);
    }

    /**
     * Checks at the start that the floor can be resolved.
     *
     * @return warnings about entries without effect, and about commands that could change the floor
     * @throws ConfigException if it cannot
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

    /** Returns the operator's profile, with the server's directories. */
    public Optional<SandboxContext> context() {
        return profile;
    }

    /** Returns the floor as clients see it. */
    SandboxStatus.Floor status() {
        return new SandboxStatus.Floor(
                required,
                source.flatMap(FloorProfile::source).map(file -> file.file().toString()),
                profile.map(SandboxContext::permissions));
    }

    /** Resolves the floor against the present files. */
    Optional<ResolvedPolicy> resolve(PolicyResolver resolver, UnaryOperator<PermissionProfile> change) {
        return profile.map(context -> resolver.resolve(
                change.apply(context.permissions()), PolicyDirectories.of(context, Optional.empty(), environment)));
    }

    /**
     * Checks a use of the network without a sandbox.
     *
     * @param what first words of the refusal
     * @throws RpcException if the floor permits no network
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
