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
import dev.execserver.server.rights.Caller;
import dev.execserver.server.rights.Rights;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

/**
 * The limit that the operator has set with {@code --require-sandbox} and {@code --sandbox-floor} for all requests of
 * clients, and the floor of the client on whose behalf the thread works. A request has to stay within both. The profile is resolved anew for each request, with the server's directories and at the same time as the
 * request, because files can move. Immutable; methods that resolve are called on file workers.
 */
public final class OperatorFloor {
    private final boolean required;
    private final Optional<FloorProfile> source;
    private final Optional<SandboxContext> profile;
    private final Map<String, String> environment;
    private final boolean named;

    /**
     * @param named true if the operator has named the clients: then work for nobody is refused, because it would escape the
     *     floor of its client
     * @param environment the server's environment, for TMPDIR and HOME
     */
    OperatorFloor(boolean required, Optional<FloorProfile> source, boolean named, Map<String, String> environment) {
        this.named = named;
        this.required = required;
        this.source = source;
        this.profile = source.map(FloorProfile::context);
        this.environment = environment;
    }

    /** Returns true if there is no limit, so that nothing needs a check. */
    public boolean none() {
        return !required && profile.isEmpty() && !caller().confined();
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
        Rights caller = caller();
        // A profile of another kind limits nothing, so the other floor must not be lost behind it.
        Optional<SandboxContext> ours = Stream.concat(caller.floor().stream(), profile.stream())
                .filter(context -> context.permissions() instanceof PermissionProfile.Managed)
                .findFirst();
        if (ours.isEmpty() && (required || caller.requireSandbox())) {
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
        new Floor(required, resolve(profile, resolver, change)).check(requested).ifPresent(why -> {
            throw refusal(why);
        });
        Rights caller = caller();
        new Floor(caller.requireSandbox(), resolve(caller.floor(), resolver, change))
                .check(requested)
                .ifPresent(why -> {
                    throw refusal("for the client " + caller.client() + ": " + why);
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
            Optional<ResolvedPolicy> floor = resolve(profile, resolver, UnaryOperator.identity());
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

    /** Returns the floor of the client, or else that of the server. */
    public Optional<SandboxContext> context() {
        return caller().floor().or(() -> profile);
    }

    /** Returns the floor of the server, whoever the client is. */
    public Optional<SandboxContext> ofServer() {
        return profile;
    }

    /** Returns all profiles that bound the requests of the client. */
    List<SandboxContext> profiles() {
        return Stream.concat(profile.stream(), caller().floor().stream()).toList();
    }

    private Rights caller() {
        Optional<Rights> bound = Caller.current();
        if (named && bound.isEmpty()) {
            throw RpcException.internal("the server does not know for which client it works");
        }
        return bound.orElse(Rights.ALL);
    }

    /** Returns the floor as clients see it. */
    SandboxStatus.Floor status() {
        return new SandboxStatus.Floor(
                required || caller().requireSandbox(),
                source.flatMap(FloorProfile::source).map(file -> file.file().toString()),
                context().map(SandboxContext::permissions));
    }

    /** Resolves a floor against the present files. */
    Optional<ResolvedPolicy> resolve(
            Optional<SandboxContext> floor, PolicyResolver resolver, UnaryOperator<PermissionProfile> change) {
        return floor.map(context -> resolver.resolve(
                change.apply(context.permissions()), PolicyDirectories.of(context, Optional.empty(), environment)));
    }

    /**
     * Checks a use of the network without a sandbox.
     *
     * @param what first words of the refusal
     * @throws RpcException if the floor permits no network
     */
    public void checkNetwork(String what) {
        boolean restricted = profiles().stream()
                .map(SandboxContext::permissions)
                .anyMatch(ours -> !ours.networkPolicy().enabled());
        if (restricted) {
            throw refusal(what + ": " + Floor.NO_NETWORK);
        }
    }

    static RpcException refusal(String why) {
        return RpcException.invalidParams(why).withData("reason", "sandboxFloor");
    }
}
