package dev.execserver.server.sandbox;

import dev.execserver.protocol.net.ProxyChange;
import dev.execserver.protocol.paths.PathUri;
import dev.execserver.protocol.permissions.SandboxContext;
import dev.execserver.protocol.process.ExecPolicyParams;
import dev.execserver.sandbox.intercept.CallExaminer;
import dev.execserver.sandbox.io.Poller;
import dev.execserver.sandbox.ledger.Ledger;
import dev.execserver.sandbox.linux.Errno;
import dev.execserver.sandbox.linux.ProcFiles;
import dev.execserver.sandbox.linux.ProcessCalls;
import dev.execserver.sandbox.outcome.FilesChangedException;
import dev.execserver.sandbox.outcome.FoundFiles;
import dev.execserver.sandbox.outcome.SetupResult;
import dev.execserver.sandbox.plan.AttachedSandbox;
import dev.execserver.sandbox.plan.SandboxRefusedException;
import dev.execserver.sandbox.plan.VisibleProgram;
import dev.execserver.sandbox.probe.HostCapabilities;
import dev.execserver.sandbox.spawn.ProcessMarks;
import dev.execserver.sandbox.spawn.ProgramLookup;
import dev.execserver.sandbox.spawn.SpawnRequest;
import dev.execserver.sandbox.spawn.Spawner;
import dev.execserver.sandbox.spawn.Stdio;
import dev.execserver.sandbox.tree.Guardian;
import dev.execserver.sandbox.tree.ProcessTree;
import dev.execserver.server.environment.ChildEnvironment;
import dev.execserver.server.exec.ApprovalClient;
import dev.execserver.server.exec.ExecInterceptions;
import dev.execserver.server.memory.DescriptorBudget;
import dev.execserver.server.network.Bridge;
import dev.execserver.server.network.Bridges;
import dev.execserver.server.rules.NetworkRules;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * Runs one sandboxed command of this program's own user on its own standard streams, for the command line. It makes the
 * parts of a server that this needs. Used by the main thread, which may block.
 */
public final class LocalSandbox implements AutoCloseable {
    /** HUP, INT, QUIT, USR1, TERM, TSTP and WINCH. */
    public static final List<Integer> PASSED_SIGNALS = List.of(1, 2, 3, 10, 15, 20, 28);

    private final Poller poller = new Poller();
    private final Spawner spawner = new Spawner(poller);
    private final ProcessMarks marks = ProcessMarks.create();
    private final ProcessTree tree = new ProcessTree();
    private final Ledger ledger = Ledger.create();
    private final SandboxSettings settings;
    private final Optional<Path> stateDirectory;

    /** @param stateDirectory folder for the state during the run; empty for the fixed folder of the user */
    public LocalSandbox(SandboxSettings settings, Optional<Path> stateDirectory) {
        this.settings = settings;
        this.stateDirectory = stateDirectory;
    }

    /** Checks the machine's sandbox features. */
    public HostCapabilities examine(Map<String, String> environment) {
        try (OwnPrograms programs = new OwnPrograms(means(), searchPath(environment), settings)) {
            return Sandboxes.doctor(means(), programs, settings)
                    .examine()
                    .withFinding(ExecInterceptions.tryOnce(poller, spawner, marks));
        }
    }

    private Sandboxes.SpawnResources means() {
        return new Sandboxes.SpawnResources(spawner, poller, marks, tree, DescriptorBudget.ofThisProcess(), ledger);
    }

    /** Receives the progress of a run. */
    public interface Watcher {
        void started(AttachedSandbox running);

        /** Called when the sandbox is set up: from now on the command can be signalled. */
        void standing();
    }

    /**
     * Rules for the programs of a command.
     *
     * @param client answers questions and gets reports
     */
    public record Programs(ExecPolicyParams policy, ApprovalClient client) {}

    /**
     * A command.
     *
     * @param network empty for the network of the profile; otherwise proxies only
     * @param programs empty if all programs may run
     */
    public record Command(
            SandboxContext context,
            PathUri cwd,
            Map<String, String> environment,
            Optional<LocalNetwork> network,
            Optional<Programs> programs,
            List<String> argv) {
        public Command {
            environment = Map.copyOf(environment);
            argv = List.copyOf(argv);
        }
    }

    /**
     * Runs the command to its end.
     *
     * @return its exit code
     * @throws ProgramNotRunException if there is no such program, or it cannot be executed
     * @throws SandboxRefusedException if it could not be started for another reason; the message says which
     */
    public int run(Command wanted, Watcher watcher) {
        Map<String, String> environment = wanted.environment();
        try (RuntimeDirectory directory = RuntimeDirectory.create(stateDirectory, ledger);
                Guardian _ = Guardian.start(spawner, marks, ledger);
                Sandboxes sandboxes = new Sandboxes(means(), directory, environment, settings);
                LocalPrograms programs = programs(wanted);
                LocalProxy proxy = wanted.network()
                        .flatMap(LocalNetwork::proxy)
                        .map(settings -> new LocalProxy(
                                poller,
                                settings,
                                Optional.ofNullable(programs)
                                        .map(LocalPrograms::networkRules)
                                        .orElse(NetworkRules.NONE)))
                        .orElse(null);
                LocalConnects connects = new LocalConnects(poller, wanted.network())) {
            sandboxes.capabilities();
            Optional<LocalProxy> own = Optional.ofNullable(proxy);
            Map<String, String> complete = new HashMap<>(environment);
            own.ifPresent(opened -> complete.putAll(opened.environment()));
            for (int changed = 1; ; changed++) {
                try {
                    Sandboxes.Prepared prepared = wanted.network()
                            .map(network -> sandboxes.prepare(
                                    wanted.context(), wanted.cwd(), complete, connects.network(network)))
                            .orElseGet(() -> sandboxes.prepare(wanted.context(), wanted.cwd(), complete));
                    Prepared all = new Prepared(sandboxes, prepared, Optional.ofNullable(programs), own, connects);
                    int code = run(all, command(all, wanted, complete), watcher);
                    own.ifPresent(opened -> tell(opened, wanted.network().orElseThrow()));
                    return code;
                } catch (FilesChangedException e) {
                    if (changed == FilesChangedException.ATTEMPTS) {
                        throw new SandboxRefusedException(e.getMessage());
                    }
                }
            }
        }
    }

    private static void tell(LocalProxy proxy, LocalNetwork network) {
        network.observed().accept(proxy.observed().orElseGet(() -> new ProxyChange(Map.of(), Optional.empty())));
    }

    /** The sandbox of the command, with the rules for its programs and its own proxy, if it has them. */
    private record Prepared(
            Sandboxes sandboxes,
            Sandboxes.Prepared sandbox,
            Optional<LocalPrograms> programs,
            Optional<LocalProxy> proxy,
            LocalConnects connects) {
        SpawnRequest intercepted(SpawnRequest plain) {
            Optional<CallExaminer> examiner = connects.examiner(
                    proxy.flatMap(own -> own.transparent(sandbox.routes().orElseThrow())), sandbox.policy());
            return programs.map(rules -> rules.intercept(sandbox.policy(), examiner))
                    .or(() -> examiner.map(connects::intercept))
                    .map(plain::restrictedBy)
                    .orElse(plain);
        }
    }

    /** Returns null without rules, which closes as nothing. */
    private LocalPrograms programs(Command wanted) {
        return wanted.programs()
                .map(rules -> new LocalPrograms(poller, spawner, marks, rules.policy(), rules.client()))
                .orElse(null);
    }

    private SpawnRequest command(Prepared all, Command wanted, Map<String, String> complete) {
        Sandboxes.Prepared prepared = all.sandbox();
        byte[] cwd = wanted.cwd().bytes();
        byte[] found = program(wanted.argv().getFirst(), complete, wanted.cwd(), prepared);
        List<String> environment = ChildEnvironment.entries(prepared.environment(complete));
        return new SpawnRequest(
                all.programs()
                        .map(rules -> rules.decide(found, wanted.argv(), environment, cwd, prepared.policy()))
                        .orElse(found),
                wanted.argv(),
                environment,
                cwd,
                inheritedStreams(),
                marks.next());
    }

    private static int run(Prepared prepared, SpawnRequest plain, Watcher watcher) {
        for (int attempt = 1; ; attempt++) {
            OptionalInt code = attempt(prepared, prepared.intercepted(plain), watcher, attempt);
            if (code.isPresent()) {
                return code.getAsInt();
            }
        }
    }

    /** Runs one attempt. Returns empty if it must be repeated. */
    private static OptionalInt attempt(Prepared prepared, SpawnRequest command, Watcher watcher, int attempt) {
        Sandboxes.Prepared sandbox = prepared.sandbox();
        try (AttachedSandbox running = prepared.sandboxes().launcher().startAttached(sandbox.plan(), command)) {
            watcher.started(running);
            return switch (running.awaitSetup()) {
                case SetupResult.Failed(String message) -> {
                    FoundFiles.requireUnchanged(sandbox.policy());
                    throw new SandboxRefusedException(message);
                }
                case SetupResult.Disturbed(String message) -> {
                    if (attempt == SetupResult.Disturbed.ATTEMPTS) {
                        throw new SandboxRefusedException(message);
                    }
                    running.kill();
                    yield OptionalInt.empty();
                }
                case SetupResult.Yes(), SetupResult.Cancelled() -> {
                    watcher.standing();
                    yield OptionalInt.of(awaitExit(running, prepared));
                }
            };
        }
    }

    /** Returns the standard streams, terminal and ignored signals that the shell has set up for its job. */
    private static Stdio inheritedStreams() {
        int own = ProcessCalls.ownPid();
        boolean terminal =
                ProcFiles.stat(own).filter(stat -> stat.terminal() != 0).isPresent();
        List<Integer> ignored = ProcFiles.signals(own)
                .map(signals -> PASSED_SIGNALS.stream().filter(signals::ignores).toList())
                .orElse(List.of());
        return new Stdio.Inherited(terminal, ignored);
    }

    private static int awaitExit(AttachedSandbox running, Prepared prepared) {
        Bridges bridges = prepared.sandboxes().bridges();
        Optional<Bridge> bridge = prepared.sandbox()
                .routes()
                .map(routes -> prepared.proxy()
                        .map(own -> own.connect(running, routes, bridges))
                        .orElseGet(
                                () -> bridges.open(running.takeProxyListeners(), routes, List.of(), Optional.empty())));
        int code = running.awaitExitCode();
        bridge.ifPresent(Bridge::finish);
        return code;
    }

    private static byte[] program(
            String name, Map<String, String> environment, PathUri cwd, Sandboxes.Prepared prepared) {
        Optional<String> path = Optional.ofNullable(environment.get("PATH"));
        return switch (VisibleProgram.find(name, path, cwd.bytes(), prepared.policy())) {
            case ProgramLookup.Result.Found found -> found.path();
            case ProgramLookup.Result.Failed(int errno) ->
                throw new ProgramNotRunException(
                        name, errno, hidden(errno, ProgramLookup.resolve(name, path, cwd.bytes())));
        };
    }

    private static boolean hidden(int errno, ProgramLookup.Result outside) {
        return errno == Errno.ENOENT && outside instanceof ProgramLookup.Result.Found;
    }

    private static String searchPath(Map<String, String> environment) {
        return environment.getOrDefault("PATH", ProgramLookup.DEFAULT_PATH);
    }

    @Override
    public void close() {
        spawner.close();
        tree.close();
        poller.close();
        ledger.close();
    }
}
