package dev.execserver.server.sandbox;

import dev.execserver.helper.fs.DisclosurePolicy;
import dev.execserver.protocol.environment.SandboxStatus;
import dev.execserver.protocol.paths.PathUri;
import dev.execserver.protocol.permissions.FileSystemPolicy;
import dev.execserver.protocol.permissions.NetworkPolicy;
import dev.execserver.protocol.permissions.PermissionProfile;
import dev.execserver.protocol.permissions.SandboxContext;
import dev.execserver.protocol.rpc.RpcException;
import dev.execserver.sandbox.bwrap.BwrapLauncher;
import dev.execserver.sandbox.bwrap.BwrapPlan;
import dev.execserver.sandbox.bwrap.Placeholders;
import dev.execserver.sandbox.glob.Ripgrep;
import dev.execserver.sandbox.glob.SpawnerCommandRunner;
import dev.execserver.sandbox.io.Poller;
import dev.execserver.sandbox.ledger.Ledger;
import dev.execserver.sandbox.linux.MountGeneration;
import dev.execserver.sandbox.network.ProxyRoutes;
import dev.execserver.sandbox.paths.KernelFileView;
import dev.execserver.sandbox.paths.LinuxPath;
import dev.execserver.sandbox.paths.SecondMounts;
import dev.execserver.sandbox.paths.ServerFiles;
import dev.execserver.sandbox.plan.LaunchPlan;
import dev.execserver.sandbox.plan.LaunchPlanner;
import dev.execserver.sandbox.plan.PlanOptions;
import dev.execserver.sandbox.plan.ProxiedNetwork;
import dev.execserver.sandbox.plan.SandboxLauncher;
import dev.execserver.sandbox.plan.VisibleProgram;
import dev.execserver.sandbox.probe.BridgeProbe;
import dev.execserver.sandbox.probe.Doctor;
import dev.execserver.sandbox.probe.Finding;
import dev.execserver.sandbox.probe.HostCapabilities;
import dev.execserver.sandbox.probe.HostFacts;
import dev.execserver.sandbox.resolve.PolicyAccess;
import dev.execserver.sandbox.resolve.PolicyDirectories;
import dev.execserver.sandbox.resolve.PolicyResolver;
import dev.execserver.sandbox.resolve.ResolvedPolicy;
import dev.execserver.sandbox.resolve.ServerPaths;
import dev.execserver.sandbox.spawn.ProcessMarks;
import dev.execserver.sandbox.spawn.ProgramLookup;
import dev.execserver.sandbox.spawn.Spawner;
import dev.execserver.sandbox.tree.BoundedRun;
import dev.execserver.sandbox.tree.ProcessTree;
import dev.execserver.server.memory.DescriptorBudget;
import dev.execserver.server.network.Bridges;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Resolves the policies of sandboxed requests and plans their sandboxes. Any thread. */
public final class Sandboxes implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Sandboxes.class);

    private final SandboxSettings settings;
    private final PolicyResolver resolver;
    private final PolicyResolver landlockResolver;
    private final PolicyAccess access;
    private final ServerFiles serverFiles;
    private final Map<String, String> environment;
    private final OperatorFloor floor;
    private final List<String> floorWarnings;
    private final Placeholders placeholders;
    private final MountGeneration mounts = new MountGeneration();
    private final SandboxLauncher launcher;
    private final Bridges bridges;
    private final OwnPrograms programs;
    private final HostExamination examination;

    /**
     * Services for starting programs.
     *
     * @param ledger records what must be undone if this process is killed
     */
    public record SpawnResources(
            Spawner spawner,
            Poller poller,
            ProcessMarks marks,
            ProcessTree tree,
            DescriptorBudget descriptors,
            Ledger ledger) {}

    /** @param runtime the folder of this server, new and empty */
    public Sandboxes(
            SpawnResources means, RuntimeDirectory runtime, Map<String, String> environment, SandboxSettings settings) {
        String searchPath = environment.getOrDefault("PATH", ProgramLookup.DEFAULT_PATH);
        this.settings = settings;
        this.environment = environment;
        List<LinuxPath> secrets = SecondMounts.with(settings.secrets());
        List<LinuxPath> hidden = new ArrayList<>(secrets);
        Supplier<List<LinuxPath>> state = new HiddenPlaces(runtime::hidden);
        hidden.addAll(state.get());
        ServerPaths.Folders folders = OwnFolders.of(settings, environment);
        programs = new OwnPrograms(means, searchPath, settings);
        Supplier<Optional<Ripgrep>> ripgrep = () -> programs.ripgrep(SpawnerCommandRunner.LIMIT);
        resolver = new PolicyResolver(
                new KernelFileView(), ripgrep, () -> settings.reserved(both(secrets, state.get()), folders));
        // Landlock cannot hide a directory. Ours hold nothing secret, but no command may write there.
        landlockResolver = new PolicyResolver(
                new KernelFileView(),
                ripgrep,
                () -> settings.reserved(secrets, folders).andUnwritable(state.get()));
        access = new PolicyAccess(new KernelFileView(), () -> both(secrets, state.get()));
        serverFiles = new ServerFiles(hidden, state);
        floor = new OperatorFloor(settings.required(), settings.floor(), settings.namedClients(), environment);
        floorWarnings = floor.examine(resolver);
        floorWarnings.forEach(LOG::warn);
        placeholders = new Placeholders(means.ledger());
        launcher = new SandboxLauncher(
                means.spawner(),
                new BwrapLauncher(
                        means.spawner(), means.poller(), means.ledger(), placeholders, runtime.own(), runtime.links()),
                mounts);
        bridges = new Bridges(means.poller(), means.descriptors());
        examination =
                new HostExamination(() -> doctor(means, programs, settings).examine(), HostExamination.PAUSE);
    }

    private static List<LinuxPath> both(List<LinuxPath> some, List<LinuxPath> others) {
        return Stream.concat(some.stream(), others.stream()).toList();
    }

    /** Makes the checks of the machine for these settings. */
    static Doctor doctor(SpawnResources means, OwnPrograms programs, SandboxSettings settings) {
        return new Doctor(
                new BoundedRun(means.spawner(), means.marks(), means.tree()),
                new BridgeProbe(means.spawner(), means.poller(), means.marks(), means.tree()),
                programs.bubblewraps(),
                HostFacts.ofThisMachine(),
                settings.mountProc());
    }

    /** Starts to find the programs that the server runs itself, so that their first use need not wait. */
    public void pinPrograms() {
        programs.begin();
    }

    /** Returns the ripgrep that the server may run. Waits until it is known. */
    public Optional<Ripgrep> ripgrep(Duration limit) {
        return programs.ripgrep(limit);
    }

    /** Waits for the checks of the machine. Runs them again if the last run was incomplete. */
    public HostCapabilities capabilities() {
        programs.await();
        return examination.result();
    }

    /** Returns the warnings for the operator, as logged at the start. Waits for the checks of the machine. */
    public List<String> warnings() {
        return Stream.concat(floorWarnings.stream(), capabilities().warnings().stream())
                .toList();
    }

    /**
     * Returns the sandbox features of the machine and the operator's floor. Waits for the checks of the machine.
     *
     * @param more result of a check that is not about sandboxes
     */
    public SandboxStatus status(Finding more) {
        return StatusReport.of(capabilities().withFinding(more), warnings()).withFloor(floor.status());
    }

    public SandboxLauncher launcher() {
        return launcher;
    }

    /** Counts changes of the mounts. */
    public MountGeneration mounts() {
        return mounts;
    }

    /** The profiles that clients can name. */
    public NamedProfiles profiles() {
        return settings.profiles();
    }

    /** The operator's limit for all requests. */
    public OperatorFloor floor() {
        return floor;
    }

    /**
     * Checks that a command may run without a sandbox. Runs on a file worker.
     *
     * @throws RpcException if the operator's floor forbids it
     */
    public void checkUnsandboxed() {
        floor.check(ResolvedPolicy.UNSANDBOXED, resolver, UnaryOperator.identity());
    }

    /** Returns the files whose changes the client of this thread may see. */
    public FileVisibility visibility() {
        List<SandboxContext> profiles = floor.profiles();
        return profiles.isEmpty()
                ? FileVisibility.ALL
                : new FloorVisibility(
                        () -> profiles.stream()
                                .flatMap(profile ->
                                        floor
                                                .resolve(Optional.of(profile), resolver, UnaryOperator.identity())
                                                .stream())
                                .toList(),
                        access);
    }

    /**
     * A plan with the data that it was made from.
     *
     * @param directory working directory, canonical
     * @param routes routes to the proxies that are the command's only network; empty if it has no network or all of it
     */
    public record Prepared(LaunchPlan plan, ResolvedPolicy policy, LinuxPath directory, Optional<ProxyRoutes> routes) {
        Prepared(LaunchPlan plan, ResolvedPolicy policy, LinuxPath directory) {
            this(plan, policy, directory, Optional.empty());
        }

        /** Returns the variables of the command: the wanted ones, rewritten for its routes. */
        public Map<String, String> environment(Map<String, String> wanted) {
            return routes.map(ProxyRoutes::environment).orElse(wanted);
        }

        /**
         * Returns the missing names that the program itself must refuse, because nothing is mounted over them. Empty if
         * the plan protects them.
         */
        public List<LinuxPath> refused() {
            return plan instanceof LaunchPlan.Bubblewrap(BwrapPlan built)
                            && built.policy().missing().isEmpty()
                    ? policy.missing()
                    : List.of();
        }
    }

    /**
     * Resolves the policy and plans the sandbox. Runs on a file worker, after {@link #capabilities()}.
     *
     * @param requestCwd working directory of the command; it exists
     * @param environment variables of the command
     */
    public Prepared prepare(SandboxContext context, PathUri requestCwd, Map<String, String> environment) {
        PolicyResolver suitable = resolverFor(context);
        ResolvedPolicy policy = suitable.resolve(
                context.permissions(), PolicyDirectories.of(context, Optional.of(requestCwd), environment));
        floor.check(policy, suitable, UnaryOperator.identity());
        LinuxPath directory = VisibleProgram.directory(requestCwd.bytes());
        return new Prepared(planner(false).plan(policy, directory, context.useLegacyLandlock()), policy, directory);
    }

    /**
     * Does the same as {@link #prepare(SandboxContext, PathUri, Map)} for a command whose only network is the proxies
     * that its variables name. A profile that does not confine files becomes one that confines only the network.
     *
     * @throws dev.execserver.sandbox.paths.PolicyRefusedException also if the variables name no usable proxy
     */
    public Prepared prepare(
            SandboxContext context, PathUri requestCwd, Map<String, String> environment, WantedNetwork network) {
        ProxyRoutes routes = ProxyRoutes.of(environment, network.given().loopbackPorts());
        PermissionProfile profile = context.permissions() instanceof PermissionProfile.Managed
                ? context.permissions()
                : new PermissionProfile.Managed(FileSystemPolicy.UNRESTRICTED, NetworkPolicy.RESTRICTED);
        ResolvedPolicy policy =
                resolver.resolve(profile, PolicyDirectories.of(context, Optional.of(requestCwd), routes.environment()));
        // Proxies count as a network under any profile.
        floor.check(policy.withNetwork(NetworkPolicy.ENABLED), resolver, UnaryOperator.identity());
        LinuxPath directory = VisibleProgram.directory(requestCwd.bytes());
        ProxiedNetwork doors = new ProxiedNetwork(routes.sockets(network.transparent()), network.unixSockets());
        LaunchPlan plan = planner(false).plan(policy, directory, context.useLegacyLandlock(), doors);
        return new Prepared(plan, policy, directory, Optional.of(routes));
    }

    /**
     * Does the same for a program that has left its sandbox: it runs in the operator's profile.
     *
     * @param cwd its working directory
     * @throws RpcException if there is no such profile, or it does not restrict what has to be restricted
     */
    public Prepared prepareFloor(byte[] cwd) {
        PolicyResolver suitable = floor.context().map(this::resolverFor).orElse(resolver);
        ResolvedPolicy policy = floor.resolve(floor.context(), suitable, UnaryOperator.identity())
                .orElse(ResolvedPolicy.UNSANDBOXED);
        floor.check(policy, suitable, UnaryOperator.identity());
        LinuxPath directory = VisibleProgram.directory(cwd);
        boolean legacy =
                floor.context().filter(SandboxContext::useLegacyLandlock).isPresent();
        return new Prepared(planner(false).plan(policy, directory, legacy), policy, directory);
    }

    /** Connects the networks of commands to the outside. */
    public Bridges bridges() {
        return bridges;
    }

    /**
     * Changes of a profile for the file helper.
     *
     * @param own makes the files readable that the helper runs from
     * @param view makes the helper's whole profile
     */
    public record HelperNeeds(UnaryOperator<PermissionProfile> own, UnaryOperator<PermissionProfile> view) {}

    /**
     * Resolves and plans for a helper that outlives one request and refuses the names in {@link Prepared#refused}, so
     * that nothing is created on the host for it. Files that exist only for sandboxes of commands count as missing, so
     * that two plans are equal if they build the same view.
     *
     * @throws RpcException -32602 if the profile needs a directory that was not sent, or exceeds the operator's floor
     */
    public Prepared prepareFor(SandboxContext context, HelperNeeds needs) {
        PolicyResolver suitable = resolverFor(context);
        ResolvedPolicy resolved = suitable.resolve(needs.view().apply(context.permissions()), directories(context));
        floor.checkFiles(resolved, suitable, needs.own());
        ResolvedPolicy policy = placeholders.withoutPlaceholders(resolved);
        LaunchPlan plan = planner(true).plan(policy, LinuxPath.ROOT, context.useLegacyLandlock());
        return new Prepared(
                plan instanceof LaunchPlan.Bubblewrap(BwrapPlan view)
                        ? new LaunchPlan.Bubblewrap(view.forRefusingProgram())
                        : plan,
                policy,
                LinuxPath.ROOT);
    }

    /**
     * Returns what the server itself may report about this path if the policy of a file operation permits all reading;
     * else empty.
     */
    public Optional<DisclosurePolicy> mayReadInProcess(SandboxContext context, LinuxPath path) {
        ResolvedPolicy policy = forFiles(context);
        if (confinesNothing(policy)) {
            return Optional.of(DisclosurePolicy.FULL);
        }
        return access.mayReadInProcess(policy, path) ? Optional.of(serverFiles::mayShow) : Optional.empty();
    }

    /** Returns true if the server itself may write there for this context. */
    public boolean mayWriteInProcess(SandboxContext context, LinuxPath path) {
        return access.mayWriteInProcess(forFiles(context), path);
    }

    /** Returns true if the context asks for no sandbox around files and the floor allows that. */
    public boolean confinesNothing(SandboxContext context) {
        return confinesNothing(forFiles(context));
    }

    private static boolean confinesNothing(ResolvedPolicy policy) {
        return switch (policy.kind()) {
            case DISABLED, EXTERNAL -> true;
            case UNRESTRICTED, RESTRICTED -> false;
        };
    }

    private ResolvedPolicy forFiles(SandboxContext context) {
        ResolvedPolicy policy = resolver.resolve(context.permissions(), directories(context));
        floor.checkFiles(policy, resolver, UnaryOperator.identity());
        return policy;
    }

    /**
     * Returns the directories of a file operation. It has no command's environment, so TMPDIR and HOME are the
     * server's.
     */
    private PolicyDirectories directories(SandboxContext context) {
        if (context.cwd().isEmpty() && DynamicPaths.needDirectory(context.permissions())) {
            throw RpcException.invalidParams("file system sandbox context with dynamic permissions requires cwd");
        }
        return PolicyDirectories.of(context, Optional.empty(), environment);
    }

    private PolicyResolver resolverFor(SandboxContext context) {
        boolean landlock = context.useLegacyLandlock()
                || settings.forceLandlock()
                || !examination.known().bubblewrapWorks();
        return landlock ? landlockResolver : resolver;
    }

    private LaunchPlanner planner(boolean sealed) {
        return new LaunchPlanner(
                examination.known(), new PlanOptions(settings.isolatePids(), settings.forceLandlock(), sealed));
    }

    /** Also removes what is left on the host. */
    @Override
    public void close() {
        examination.close();
        placeholders.close();
        serverFiles.close();
        mounts.close();
        programs.close();
    }
}
