package dev.execserver.server.process.start;

import dev.execserver.protocol.permissions.SandboxContext;
import dev.execserver.protocol.process.ManagedNetwork;
import dev.execserver.protocol.process.StartParams;
import dev.execserver.protocol.rpc.RpcException;
import dev.execserver.sandbox.connect.AllowedSockets;
import dev.execserver.sandbox.connect.ConnectExaminer;
import dev.execserver.sandbox.intercept.CallExaminer;
import dev.execserver.sandbox.intercept.Interception;
import dev.execserver.sandbox.io.AsyncFd;
import dev.execserver.sandbox.io.PtyPair;
import dev.execserver.sandbox.linux.Errno;
import dev.execserver.sandbox.linux.LinuxException;
import dev.execserver.sandbox.linux.LongWork;
import dev.execserver.sandbox.network.ProxyRoutes;
import dev.execserver.sandbox.outcome.FilesChangedException;
import dev.execserver.sandbox.outcome.FoundFiles;
import dev.execserver.sandbox.outcome.SetupResult;
import dev.execserver.sandbox.paths.LinuxPath;
import dev.execserver.sandbox.paths.PolicyRefusedException;
import dev.execserver.sandbox.plan.Backend;
import dev.execserver.sandbox.plan.LaunchPlan;
import dev.execserver.sandbox.plan.ProxiedNetwork.UnixUse;
import dev.execserver.sandbox.plan.SandboxRefusedException;
import dev.execserver.sandbox.plan.SandboxRun;
import dev.execserver.sandbox.plan.UnexecutedProgram;
import dev.execserver.sandbox.plan.VisibleProgram;
import dev.execserver.sandbox.spawn.ProgramLookup;
import dev.execserver.sandbox.spawn.SpawnRequest;
import dev.execserver.sandbox.spawn.Stdio;
import dev.execserver.server.environment.ChildEnvironment;
import dev.execserver.server.exec.CommandExecs;
import dev.execserver.server.names.NameResponder;
import dev.execserver.server.network.Bridge;
import dev.execserver.server.process.ManagedProcess;
import dev.execserver.server.process.ProcessServices;
import dev.execserver.server.process.denial.DenialEvidence;
import dev.execserver.server.process.denial.DenialScan;
import dev.execserver.server.proxy.ProcessProxy.Transparent;
import dev.execserver.server.sandbox.Sandboxes;
import dev.execserver.server.sandbox.WantedNetwork;
import dev.execserver.server.tracing.Traced;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;

/**
 * The start of one sandboxed process. It succeeds when the sandbox is set up and the program is being executed, because
 * a client that waits for a denial counts time from the answer. An earlier failure is answered as an error, and nothing
 * of the command has run then. Runs on the request's thread; file workers touch the files.
 */
final class SandboxedStart {
    private static final String FAILED = "failed to prepare process sandbox: ";

    private final ProcessServices services;
    private final ManagedProcess process;
    private final SandboxContext context;
    private final Map<String, String> environment;
    private final List<String> argv;
    private final Optional<CommandExecs> execs;
    private final ProxyUse proxy;
    private Optional<CommandExecs.OwnProgram> own = Optional.empty(); // handed over with the work
    private boolean outside; // handed over too
    private Set<LinuxPath> listed = Set.of(); // of the last decision, on its thread

    /**
     * @param argv with the name that the program is to see
     * @param execs intercepts the programs that it executes
     * @param proxy what it has of its own proxy
     */
    SandboxedStart(
            ProcessServices services,
            ManagedProcess process,
            SandboxContext context,
            Map<String, String> environment,
            List<String> argv,
            Optional<CommandExecs> execs,
            ProxyUse proxy) {
        this.services = services;
        this.process = process;
        this.context = context;
        this.environment = environment;
        this.argv = argv;
        this.execs = execs;
        this.proxy = proxy;
    }

    /** The policy decision, and the program to run in it. */
    private record Decision(Sandboxes.Prepared prepared, byte[] program) {}

    /** The started processes. The sandbox may not be set up yet. */
    private record Started(
            Decision decision,
            LimitedStart limits,
            Optional<PtyPair> terminal,
            SandboxRun run,
            Optional<Transparent> transparency,
            Optional<AllowedSockets> sockets) {}

    /**
     * Decides about the program of a command that has rules, and waits for the client if they say so.
     *
     * @return the program if the rules let it run outside of its sandbox
     * @throws RpcException -32602 if it must not run; otherwise as {@link #start}
     */
    Optional<CommandExecs.OwnProgram> escalated() {
        if (execs.isEmpty()) {
            return Optional.empty();
        }
        services.limiting().sandboxes().capabilities();
        CommandExecs.OwnProgram judged =
                services.files().call(() -> judged(LongWork.resultWatched(this::requireWanted, this::decide)));
        own = Optional.of(judged);
        return ProcessStarter.decide(process, judged) ? own : Optional.empty();
    }

    /**
     * Starts the process in the sandbox of the operator's floor, because its own program leaves the one that the client has
     * asked for; otherwise as {@link #start}.
     */
    Backend startOutside(Supplier<Optional<PtyPair>> openTerminal) {
        outside = true;
        return start(openTerminal);
    }

    private CommandExecs.OwnProgram judged(Decision decision) {
        return execs.orElseThrow()
                .judgeOwn(
                        decision.program(),
                        argv,
                        ChildEnvironment.entries(environment),
                        process.params().cwd().bytes(),
                        decision.prepared().policy());
    }

    /**
     * Starts the process.
     *
     * @return the backend that confines it
     * @throws RpcException -32602 if the sandbox cannot be built; -32603 if the directory does not exist or has no such
     * program
     */
    Backend start(Supplier<Optional<PtyPair>> openTerminal) {
        StartParams params = process.params();
        if (params.enforceManagedNetwork() || params.networkProxy().isPresent()) {
            services.limiting().sandboxes().floor().checkNetwork("a managed network");
        }
        services.limiting().sandboxes().capabilities();
        int changed = 0;
        int disturbed = 0;
        while (true) {
            try {
                return attempt(openTerminal);
            } catch (FilesChangedException e) {
                if (++changed == FilesChangedException.ATTEMPTS) {
                    throw refused(e.getMessage());
                }
            } catch (DisturbedException e) {
                if (++disturbed == SetupResult.Disturbed.ATTEMPTS) {
                    throw refused(e.getMessage());
                }
            }
        }
    }

    /** Thrown if the sandbox could not be built because of a mount or unmount meanwhile. Nothing of it is left. */
    private static final class DisturbedException extends RuntimeException {
        private static final long serialVersionUID = 1L;

        DisturbedException(String message) {
            super(message, null, false, false);
        }
    }

    private Backend attempt(Supplier<Optional<PtyPair>> openTerminal) {
        Started started = services.files().call(() -> launch(openTerminal));
        Decision decision = started.decision();
        SandboxRun run = started.run();
        switch (Traced.step("sandbox", () -> setUp(started))) {
            case SetupResult.Yes() -> {
                decision.prepared().routes().ifPresent(routes -> connect(run, routes, started));
                process.running(
                        run,
                        started.terminal(),
                        new DenialScan(evidence(decision)),
                        started.limits().limits());
            }
            case SetupResult.Failed(String message) -> {
                undo(started);
                services.files().call(() -> {
                    FoundFiles.requireUnchanged(decision.prepared().policy());
                    return true;
                });
                throw refused(message);
            }
            case SetupResult.Disturbed(String message) -> {
                undo(started);
                throw new DisturbedException(message);
            }
            case SetupResult.Cancelled() -> {
                undo(started);
                throw ProcessStarter.cancelled(process);
            }
        }
        return decision.prepared().plan().backend();
    }

    private SetupResult setUp(Started started) {
        try {
            return started.run()
                    .awaitSetup(
                            process.lifecycle()::cancelled,
                            check -> services.files().call(check::get));
        } catch (RuntimeException e) {
            undo(started);
            throw e;
        }
    }

    /** Does all steps on one file worker, because every change of threads delays the answer. */
    private Started launch(Supplier<Optional<PtyPair>> openTerminal) {
        Decision decision = LongWork.resultWatched(this::requireWanted, this::decide);
        own.ifPresent(decided -> decided.requireUnchanged(decision.program()));
        requireWanted();
        LaunchPlan plan = decision.prepared().plan();
        LimitedStart limits = LimitedStart.prepareOnWorker(services, process, plan instanceof LaunchPlan.Bubblewrap);
        Optional<PtyPair> terminal = limits.start(_ -> openTerminal.get());
        try {
            Optional<Transparent> transparency = decision.prepared()
                    .routes()
                    .filter(_ -> proxy.transparent())
                    .flatMap(routes -> process.client().network().transparent(routes.freePort()));
            Optional<AllowedSockets> sockets = listed.isEmpty()
                    ? Optional.empty()
                    : Optional.of(AllowedSockets.open(
                            listed,
                            decision.prepared().policy(),
                            process.client().network()::refusedSocket));
            SandboxRun run = Traced.step(
                    "spawn", () -> launch(decision, limits, request(decision, terminal), transparency, sockets));
            return new Started(decision, limits, terminal, run, transparency, sockets);
        } catch (PolicyRefusedException | SandboxRefusedException e) {
            terminal.ifPresent(PtyPair::close);
            throw refused(e.getMessage());
        } catch (LinuxException e) {
            terminal.ifPresent(PtyPair::close);
            throw e.errno() == Errno.E2BIG ? ProcessStarter.tooLong(process.params()) : refused(e.getMessage());
        } catch (RuntimeException e) {
            terminal.ifPresent(PtyPair::close);
            throw e;
        }
    }

    private SandboxRun launch(
            Decision decision,
            LimitedStart limits,
            SpawnRequest plain,
            Optional<Transparent> transparency,
            Optional<AllowedSockets> sockets) {
        Optional<CallExaminer> connects = transparency.isEmpty() && sockets.isEmpty()
                ? Optional.empty()
                : Optional.of(new ConnectExaminer(transparency.map(Transparent::connects), sockets));
        Optional<Interception> interception = outside
                ? execs.flatMap(CommandExecs::interceptEscalated)
                : execs.flatMap(opened -> opened.intercept(decision.prepared().policy(), connects))
                        .or(() -> connects.map(services.limiting().execs()::interceptConnects));
        SpawnRequest request = interception.map(plain::restrictedBy).orElse(plain);
        try {
            return limits.start(held -> services.limiting()
                    .sandboxes()
                    .launcher()
                    .start(decision.prepared().plan(), request.heldFor(held)));
        } catch (RuntimeException e) {
            interception.ifPresent(Interception::close);
            sockets.ifPresent(AllowedSockets::close);
            throw e;
        }
    }

    /** Stops a start that was cancelled. A search for globs may take long, and the session may end meanwhile. */
    private void requireWanted() {
        if (process.lifecycle().cancelled()) {
            throw ProcessStarter.cancelled(process);
        }
    }

    /** Opens the bridge. Connections that the command has opened before wait in the queues of its sockets. */
    private void connect(SandboxRun run, ProxyRoutes routes, Started started) {
        Optional<Transparent> transparency = started.transparency();
        List<AsyncFd> sockets = new ArrayList<>(run.takeProxyListeners());
        Optional<NameResponder> names = transparency.map(
                wanted -> wanted.serve(sockets, routes.innerPorts().size() + 1));
        Bridge bridge = services.limiting()
                .sandboxes()
                .bridges()
                .open(sockets, routes, process.client().network().takeRoutes(), transparency.map(Transparent::handler));
        run.atEnd(() -> {
            started.sockets().ifPresent(AllowedSockets::close);
            names.ifPresent(NameResponder::close);
            bridge.close();
        });
    }

    /** Returns the data that explain denials; only the open dialect has members for them. */
    private Optional<DenialEvidence> evidence(Decision decision) {
        boolean landlock = decision.prepared().plan() instanceof LaunchPlan.LandlockSeccomp;
        return Optional.of(new DenialEvidence(
                        decision.prepared().policy(), decision.prepared().directory(), landlock))
                .filter(_ -> services.dialect().open());
    }

    private Decision decide() {
        requireWanted();
        StartParams params = process.params();
        byte[] cwd = params.cwd().bytes();
        int errno = ProgramLookup.checkDirectory(cwd);
        if (errno != 0) {
            throw ProcessStarter.failed("cwd", VisibleProgram.text(cwd), errno);
        }
        WorkingDirectory.check(cwd);
        try {
            Sandboxes.Prepared prepared = Traced.step("policy", () -> prepare(params));
            return new Decision(prepared, program(prepared));
        } catch (PolicyRefusedException | SandboxRefusedException | LinuxException e) {
            throw refused(e.getMessage());
        }
    }

    private Sandboxes.Prepared prepare(StartParams params) {
        if (outside) {
            return services.limiting().sandboxes().prepareFloor(params.cwd().bytes());
        }
        if (!params.enforceManagedNetwork()) {
            return services.limiting().sandboxes().prepare(context, params.cwd(), environment);
        }
        ManagedNetwork network =
                params.managedNetwork().map(ManagedNetwork::read).orElse(ManagedNetwork.DEFAULT);
        listed = ListedSockets.of(network, proxy);
        UnixUse use = ListedSockets.use(network, listed, services);
        if (use != UnixUse.LISTED) {
            listed = Set.of();
        }
        return services.limiting()
                .sandboxes()
                .prepare(context, params.cwd(), environment, new WantedNetwork(network, proxy.transparent(), use));
    }

    private byte[] program(Sandboxes.Prepared prepared) {
        String name = process.params().argv().getFirst();
        Optional<String> path = Optional.ofNullable(environment.get("PATH"));
        byte[] cwd = process.params().cwd().bytes();
        return switch (VisibleProgram.find(name, path, cwd, prepared.policy())) {
            case ProgramLookup.Result.Found found -> {
                UnexecutedProgram.interpreterError(found.absolute(), cwd, prepared.policy())
                        .ifPresent(errno -> {
                            throw ProcessStarter.failed(errno == Errno.ENOENT ? "interpreter" : "program", name, errno);
                        });
                yield found.path();
            }
            case ProgramLookup.Result.Failed(int errno) -> throw ProcessStarter.failed("program", name, errno);
        };
    }

    private SpawnRequest request(Decision decision, Optional<PtyPair> terminal) {
        StartParams params = process.params();
        Stdio stdio = terminal.<Stdio>map(Stdio.Terminal::new).orElseGet(() -> new Stdio.Pipes(params.pipeStdin()));
        return new SpawnRequest(
                own.map(CommandExecs.OwnProgram::path).orElseGet(decision::program),
                argv,
                ChildEnvironment.entries(decision.prepared().environment(environment)),
                params.cwd().bytes(),
                stdio,
                services.spawning().marks().next(),
                outside ? List.of() : ProcessStarter.inherited(execs.flatMap(CommandExecs::wrapper)));
    }

    /** Kills what was started. The command has not run, but bubblewrap may be alive. */
    private void undo(Started started) {
        SandboxRun run = started.run();
        boolean _ = services.spawning()
                .tree()
                .kill(run.child()); // false: it hangs in the kernel and dies when the kernel lets it
        run.child().awaitExit();
        run.child().closeStreams();
        started.sockets().ifPresent(AllowedSockets::close);
        services.files().release(() -> {
            run.close();
            started.limits().giveUp();
        });
    }

    private static RpcException refused(String reason) {
        return RpcException.invalidParams(FAILED + reason);
    }
}
