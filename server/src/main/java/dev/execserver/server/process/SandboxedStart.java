package dev.execserver.server.process;

import dev.execserver.protocol.permissions.SandboxContext;
import dev.execserver.protocol.process.ManagedNetwork;
import dev.execserver.protocol.process.StartParams;
import dev.execserver.protocol.rpc.RpcException;
import dev.execserver.sandbox.bwrap.BwrapRun.Standing;
import dev.execserver.sandbox.bwrap.Placeholders;
import dev.execserver.sandbox.linux.Errno;
import dev.execserver.sandbox.linux.LinuxException;
import dev.execserver.sandbox.linux.LongWork;
import dev.execserver.sandbox.network.ProxyRoutes;
import dev.execserver.sandbox.plan.LaunchPlan;
import dev.execserver.sandbox.plan.SandboxRefusedException;
import dev.execserver.sandbox.plan.SandboxRun;
import dev.execserver.sandbox.plan.VisibleProgram;
import dev.execserver.sandbox.resolve.PolicyRefusedException;
import dev.execserver.sandbox.spawn.ProgramLookup;
import dev.execserver.sandbox.spawn.PtyPair;
import dev.execserver.sandbox.spawn.SpawnRequest;
import dev.execserver.sandbox.spawn.Stdio;
import dev.execserver.server.environment.ChildEnvironment;
import dev.execserver.server.network.Bridge;
import dev.execserver.server.sandbox.Sandboxes;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * The start of one sandboxed process. It succeeds when the sandbox stands and the program is being executed: the clock of a
 * client that waits for a denial starts with the answer. Whatever goes wrong before is an answer too, and nothing of the
 * command has run then. Runs on the request's thread; what touches files, on a file worker.
 */
final class SandboxedStart {
    /** Files can change between the look and the start; who changes them all the time gets an error. */
    private static final int ATTEMPTS = 5;

    private static final String FAILED = "failed to prepare process sandbox: ";

    private final ProcessServices services;
    private final ManagedProcess process;
    private final SandboxContext context;
    private final Map<String, String> environment;
    private final List<String> argv;

    /** @param argv with the name that the program is to see */
    SandboxedStart(
            ProcessServices services,
            ManagedProcess process,
            SandboxContext context,
            Map<String, String> environment,
            List<String> argv) {
        this.services = services;
        this.process = process;
        this.context = context;
        this.environment = environment;
        this.argv = argv;
    }

    /** What was decided, and the program for it. */
    private record Decision(Sandboxes.Prepared prepared, byte[] program) {}

    /** What runs, perhaps not in its sandbox yet. */
    private record Started(Decision decision, LimitedStart limits, Optional<PtyPair> terminal, SandboxRun run) {}

    /**
     * Starts it.
     *
     * @return what confines it
     * @throws RpcException -32602 when the sandbox cannot be built; -32603 when there is no such directory, or no such program
     *     in it
     */
    String start(Supplier<Optional<PtyPair>> openTerminal) {
        StartParams params = process.params();
        if (params.enforceManagedNetwork() || params.networkProxy().isPresent()) {
            services.sandboxes().floor().checkNetwork("a managed network");
        }
        services.sandboxes().capabilities();
        int changed = 0;
        int disturbed = 0;
        while (true) {
            try {
                return attempt(openTerminal);
            } catch (Placeholders.ChangedException e) {
                if (++changed == ATTEMPTS) {
                    throw refused(e.getMessage());
                }
            } catch (DisturbedException e) {
                if (++disturbed == Standing.Disturbed.ATTEMPTS) {
                    throw refused(e.getMessage());
                }
            }
        }
    }

    /** The sandbox could not be built because of what was mounted or unmounted meanwhile; nothing of it is left. */
    private static final class DisturbedException extends RuntimeException {
        private static final long serialVersionUID = 1L;

        DisturbedException(String message) {
            super(message, null, false, false);
        }
    }

    private String attempt(Supplier<Optional<PtyPair>> openTerminal) {
        Started started = services.files().call(() -> launch(openTerminal));
        Decision decision = started.decision();
        SandboxRun run = started.run();
        switch (run.awaitStanding(process.lifecycle()::cancelled)) {
            case Standing.Yes() -> {
                decision.prepared().routes().ifPresent(routes -> connect(run, routes));
                process.running(
                        run,
                        started.terminal(),
                        new DenialScan(evidence(decision)),
                        started.limits().limits());
            }
            case Standing.Failed(String message) -> {
                undo(started);
                throw refused(message);
            }
            case Standing.Disturbed(String message) -> {
                undo(started);
                throw new DisturbedException(message);
            }
            case Standing.Cancelled() -> {
                undo(started);
                throw ProcessStarter.cancelled(process);
            }
        }
        return decision.prepared().plan().backend();
    }

    /** All of it on one file worker: every change of threads is time that somebody waits. */
    private Started launch(Supplier<Optional<PtyPair>> openTerminal) {
        Decision decision = LongWork.resultWatched(this::requireWanted, this::decide);
        requireWanted();
        LaunchPlan plan = decision.prepared().plan();
        LimitedStart limits =
                LimitedStart.prepareOnWorker(services, process.params(), plan instanceof LaunchPlan.Bubblewrap);
        Optional<PtyPair> terminal = limits.start(_ -> openTerminal.get());
        try {
            SandboxRun run = limits.start(held -> services.sandboxes()
                    .launcher()
                    .start(plan, request(decision, terminal).heldFor(held)));
            return new Started(decision, limits, terminal, run);
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

    /** A search for globs may take long, and the session of the start may end meanwhile. */
    private void requireWanted() {
        if (process.lifecycle().cancelled()) {
            throw ProcessStarter.cancelled(process);
        }
    }

    /** What the command has opened meanwhile waits in the queues of its sockets. */
    private void connect(SandboxRun run, ProxyRoutes routes) {
        Bridge bridge = services.sandboxes()
                .bridges()
                .open(run.takeDoors(), routes, process.network().takeRoutes());
        run.atEnd(bridge::close);
    }

    /** What denials are explained with; only the open dialect has words for that. */
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
            Sandboxes.Prepared prepared = prepare(params);
            return new Decision(prepared, program(prepared));
        } catch (PolicyRefusedException | SandboxRefusedException | LinuxException e) {
            throw refused(e.getMessage());
        }
    }

    private Sandboxes.Prepared prepare(StartParams params) {
        if (!params.enforceManagedNetwork()) {
            return services.sandboxes().prepare(context, params.cwd(), environment);
        }
        ManagedNetwork network =
                params.managedNetwork().map(ManagedNetwork::read).orElse(ManagedNetwork.DEFAULT);
        return services.sandboxes().prepare(context, params.cwd(), environment, network);
    }

    private byte[] program(Sandboxes.Prepared prepared) {
        String name = process.params().argv().getFirst();
        Optional<String> path = Optional.ofNullable(environment.get("PATH"));
        return switch (VisibleProgram.find(name, path, process.params().cwd().bytes(), prepared.policy())) {
            case ProgramLookup.Result.Found found -> found.path();
            case ProgramLookup.Result.Failed(int errno) -> throw ProcessStarter.failed("program", name, errno);
        };
    }

    private SpawnRequest request(Decision decision, Optional<PtyPair> terminal) {
        StartParams params = process.params();
        Stdio stdio = terminal.<Stdio>map(Stdio.Terminal::new).orElseGet(() -> new Stdio.Pipes(params.pipeStdin()));
        return new SpawnRequest(
                decision.program(),
                argv,
                ChildEnvironment.entries(decision.prepared().environment(environment)),
                params.cwd().bytes(),
                stdio,
                services.marks().next());
    }

    /** Nothing of the command has run, but bubblewrap may be alive. */
    private void undo(Started started) {
        SandboxRun run = started.run();
        boolean _ = services.tree().kill(run.child()); // false: it hangs in the kernel and dies when that lets it
        run.child().awaitExit();
        run.child().closeStreams();
        services.files().call(() -> {
            run.close();
            started.limits().giveUp();
            return true;
        });
    }

    private static RpcException refused(String reason) {
        return RpcException.invalidParams(FAILED + reason);
    }
}
