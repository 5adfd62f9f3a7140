package dev.execserver.server.process.start;

import dev.execserver.protocol.net.NetworkProxyConfig;
import dev.execserver.protocol.permissions.SandboxContext;
import dev.execserver.protocol.process.StartParams;
import dev.execserver.protocol.process.TerminalSize;
import dev.execserver.protocol.rpc.Dialect;
import dev.execserver.protocol.rpc.JsonSlice;
import dev.execserver.protocol.rpc.RpcException;
import dev.execserver.sandbox.intercept.Interception;
import dev.execserver.sandbox.io.PtyPair;
import dev.execserver.sandbox.linux.Errno;
import dev.execserver.sandbox.linux.Fd;
import dev.execserver.sandbox.linux.LinuxException;
import dev.execserver.sandbox.linux.SpawnCalls;
import dev.execserver.sandbox.plan.Backend;
import dev.execserver.sandbox.resolve.ResolvedPolicy;
import dev.execserver.sandbox.spawn.Child;
import dev.execserver.sandbox.spawn.ProgramLookup;
import dev.execserver.sandbox.spawn.SpawnRequest;
import dev.execserver.sandbox.spawn.Stdio;
import dev.execserver.server.environment.ChildEnvironment;
import dev.execserver.server.exec.CommandExecs;
import dev.execserver.server.exec.ExecStyle;
import dev.execserver.server.exec.wrapper.EscalationSocket;
import dev.execserver.server.process.ManagedProcess;
import dev.execserver.server.process.ProcessServices;
import dev.execserver.server.process.network.ProcessNetwork;
import dev.execserver.server.proxy.ProcessProxy;
import dev.execserver.server.rights.Caller;
import dev.execserver.server.rights.CommandBounds;
import dev.execserver.server.rights.Rights;
import dev.execserver.server.rules.NetworkRules;
import dev.execserver.server.sandbox.WantedSandbox;
import dev.execserver.server.tracing.Traced;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * Carries out {@code process/start}: environment, working directory, program, terminal, spawn. Runs on request threads;
 * file workers look at files. Stateless.
 */
public final class ProcessStarter {

    /** See fork(2). */
    private static final String NO_MORE_PROCESSES =
            "; the limit of processes and threads is reached: that of the user (ulimit -u), of a control group (pids.max) or of the system";

    private static final String NO_PROXY = "network proxy: ";

    private final ProcessServices services;
    private final Map<String, String> serverEnvironment;
    private final Dialect dialect;

    /** @param serverEnvironment the variables that an environment policy may pass on */
    public ProcessStarter(ProcessServices services, Map<String, String> serverEnvironment, Dialect dialect) {
        this.services = services;
        this.dialect = dialect;
        this.serverEnvironment = serverEnvironment;
    }

    /**
     * Starts the program of a process that was reserved with incomplete params.
     *
     * @param complete of the same process
     * @return as {@link #start(ManagedProcess)}
     */
    public Optional<StartedSandbox> start(ManagedProcess process, StartParams complete) {
        process.complete(complete);
        return start(process);
    }

    /**
     * Starts the program of a reserved process.
     *
     * @return the sandbox that was requested; empty if there is none
     * @throws RpcException if it could not be started or was ended meanwhile; none of its processes is left then
     */
    public Optional<StartedSandbox> start(ManagedProcess process) {
        return start(process, ExecStyle.STANDARD);
    }

    /**
     * Starts the program of a process whose programs are decided in this style; otherwise as {@link #start(ManagedProcess)}.
     */
    public Optional<StartedSandbox> start(ManagedProcess process, ExecStyle style) {
        process.complete(services.spawning()
                .bounds()
                .applied(process.params(), Caller.current().orElse(Rights.ALL)));
        Optional<CommandExecs> execs = Traced.step("policy", () -> process.openExecs(style));
        try {
            return startDecidedBy(process, execs);
        } finally {
            execs.flatMap(CommandExecs::wrapper).ifPresent(EscalationSocket::started);
        }
    }

    /** Returns the time limit of a command of this thread's client that names none, see {@link CommandBounds}. */
    public long usualTimeoutMs(long ofMethod) {
        return services.spawning()
                .bounds()
                .usualTimeoutMs(ofMethod, Caller.current().orElse(Rights.ALL));
    }

    private Optional<StartedSandbox> startDecidedBy(ManagedProcess process, Optional<CommandExecs> execs) {
        Optional<WantedSandbox> sandbox = wantedSandbox(process.params());
        sandbox.flatMap(WantedSandbox::proxy)
                .ifPresent(rules -> process.complete(process.params().withProxy(rules)));
        StartParams params = process.params();
        Map<String, String> environment = ChildEnvironment.compute(params.envPolicy(), params.env(), serverEnvironment);
        ProxyUse proxy = ProxyUse.NONE;
        Optional<EscalationSocket> socket = execs.flatMap(CommandExecs::wrapper);
        socket.ifPresent(opened -> environment.putAll(opened.variables()));
        if (params.networkProxy().isPresent()) {
            NetworkRules rules = execs.map(CommandExecs::networkRules).orElse(NetworkRules.NONE);
            proxy = openProxy(process, params.networkProxy().get(), rules, environment);
        }
        if (sandbox.isPresent()) {
            SandboxContext context = sandbox.get().context();
            SandboxedStart start =
                    new SandboxedStart(services, process, context, environment, argv(params), execs, proxy);
            Optional<CommandExecs.OwnProgram> escalated = start.escalated();
            Supplier<Optional<PtyPair>> terminal =
                    () -> params.tty() ? Optional.of(openTerminal(params)) : Optional.empty();
            escalated.ifPresent(_ -> socket.ifPresent(
                    opened -> environment.keySet().removeAll(opened.variables().keySet())));
            if (escalated.isPresent()
                    && !services.limiting().sandboxes().floor().none()) {
                return Optional.of(new StartedSandbox(context, start.startOutside(terminal)));
            }
            if (escalated.isPresent()) {
                startDecided(
                        process,
                        environment,
                        escalated.get(),
                        execs.flatMap(CommandExecs::interceptEscalated),
                        List.of());
                return Optional.of(new StartedSandbox(context, Backend.NONE));
            }
            return Optional.of(new StartedSandbox(context, start.start(terminal)));
        }
        if (!services.limiting().sandboxes().floor().none()) {
            services.files().call(() -> {
                services.limiting().sandboxes().checkUnsandboxed();
                return true;
            });
        }
        byte[] cwd = params.cwd().bytes();
        if (execs.isPresent()) {
            CommandExecs opened = execs.get();
            CommandExecs.OwnProgram own = services.files()
                    .call(() -> opened.judgeOwn(
                            find(params.argv().getFirst(), cwd, environment),
                            argv(params),
                            ChildEnvironment.entries(environment),
                            cwd,
                            ResolvedPolicy.UNSANDBOXED));
            Optional<Interception> interception = decide(process, own)
                    ? opened.interceptEscalated()
                    : opened.intercept(ResolvedPolicy.UNSANDBOXED, Optional.empty());
            startDecided(process, environment, own, interception, inherited(socket));
        } else {
            byte[] program = services.files().call(() -> find(params.argv().getFirst(), cwd, environment));
            startDirectly(process, environment, program, Optional.empty(), List.of());
        }
        return Optional.empty();
    }

    /** @throws RpcException -32602 if the profile of the sandbox and the request have a proxy each */
    private Optional<WantedSandbox> wantedSandbox(StartParams params) {
        Optional<WantedSandbox> sandbox = params.sandbox()
                .map(given -> services.limiting().sandboxes().profiles().wanted(given, dialect));
        boolean own =
                params.networkProxy().isPresent() || params.managedNetwork().isPresent();
        if (own && sandbox.flatMap(WantedSandbox::proxy).isPresent()) {
            throw RpcException.invalidParams(
                    "the profile of the sandbox has a network proxy; leave `networkProxy` and `managedNetwork` out");
        }
        return sandbox;
    }

    /** Returns the descriptors that a shell with a wrapper inherits. */
    static List<Fd> inherited(Optional<EscalationSocket> socket) {
        return socket.map(EscalationSocket::inherited).orElse(List.of());
    }

    /** Decides about the own program. Returns true if it leaves its sandbox. */
    static boolean decide(ManagedProcess process, CommandExecs.OwnProgram own) {
        try {
            return own.decide();
        } catch (RpcException e) {
            if (process.lifecycle().cancelled()) {
                throw cancelled(process);
            }
            throw e;
        }
    }

    private void startDecided(
            ManagedProcess process,
            Map<String, String> environment,
            CommandExecs.OwnProgram own,
            Optional<Interception> interception,
            List<Fd> inherited) {
        try {
            services.files().call(() -> {
                own.requireUnchanged();
                return true;
            });
            startDirectly(process, environment, own.path(), interception, inherited);
        } catch (RuntimeException e) {
            interception.ifPresent(Interception::close);
            throw e;
        }
    }

    private ProxyUse openProxy(
            ManagedProcess process, JsonSlice given, NetworkRules rules, Map<String, String> environment) {
        NetworkProxyConfig config = NetworkProxyConfig.read(given, dialect);
        boolean transparent = transparent(process.params(), config);
        List<String> unixSockets =
                process.params().enforceManagedNetwork() ? config.proxy().allowedUnixSockets() : List.of();
        try {
            ProcessNetwork network = process.client().network();
            boolean looks = !config.proxy().programDomains().isEmpty()
                    || rules.now().stream().anyMatch(rule -> rule.program().isPresent());
            Supplier<ProcessProxy> open = () -> network.open(services.limiting().proxies(), config, rules);
            environment.putAll((looks ? services.files().call(open::get) : open.get()).environment());
            return new ProxyUse(transparent, unixSockets);
        } catch (LinuxException e) {
            throw RpcException.internal(NO_PROXY + e.getMessage()).withData("reason", "networkProxy");
        }
    }

    /** @throws RpcException -32602 if programs that know no proxy cannot be served */
    private boolean transparent(StartParams params, NetworkProxyConfig config) {
        boolean possible = params.sandbox().isPresent() && params.enforceManagedNetwork();
        boolean wanted = config.proxy().transparentTcp();
        if (wanted && !config.proxy().enableSocks5()) {
            throw RpcException.invalidParams(
                    "invalid network proxy config: transparent_tcp requires an enabled managed SOCKS5 proxy");
        }
        if (wanted && !possible) {
            throw RpcException.invalidParams("transparent TCP requires a managed Linux sandbox");
        }
        boolean transparent =
                possible && (wanted || services.limiting().proxies().transparentTcp());
        if (transparent) {
            services.limiting().execs().obstacle().ifPresent(obstacle -> {
                throw RpcException.invalidParams("transparent TCP is not possible on this machine: " + obstacle.reason()
                        + ". " + obstacle.remedy());
            });
        }
        return transparent;
    }

    private void startDirectly(
            ManagedProcess process,
            Map<String, String> environment,
            byte[] program,
            Optional<Interception> interception,
            List<Fd> inherited) {
        StartParams params = process.params();
        byte[] cwd = params.cwd().bytes();
        if (process.lifecycle().cancelled()) {
            throw cancelled(process);
        }
        LimitedStart limits = LimitedStart.prepare(services, process);
        Optional<PtyPair> terminal =
                limits.start(_ -> params.tty() ? Optional.of(openTerminal(params)) : Optional.empty());
        Stdio stdio = terminal.<Stdio>map(Stdio.Terminal::new).orElseGet(() -> new Stdio.Pipes(params.pipeStdin()));
        SpawnRequest plain = new SpawnRequest(
                program,
                argv(params),
                ChildEnvironment.entries(environment),
                cwd,
                stdio,
                services.spawning().marks().next(),
                inherited);
        SpawnRequest request = interception.map(plain::restrictedBy).orElse(plain);
        process.running(limits.start(held -> spawn(request.heldFor(held), params)), terminal, limits.limits());
        if (process.lifecycle().cancelled()) {
            throw cancelled(process);
        }
    }

    private static byte[] find(String name, byte[] cwd, Map<String, String> environment) {
        int errno = ProgramLookup.checkDirectory(cwd);
        if (errno != 0) {
            throw failed("cwd", new String(cwd, StandardCharsets.UTF_8), errno);
        }
        WorkingDirectory.check(cwd);
        return switch (ProgramLookup.resolve(name, Optional.ofNullable(environment.get("PATH")), cwd)) {
            case ProgramLookup.Result.Found found -> found.path();
            case ProgramLookup.Result.Failed(int why) -> throw failed("program", name, why);
        };
    }

    private PtyPair openTerminal(StartParams params) {
        TerminalSize size = params.options().size().orElse(TerminalSize.DEFAULT);
        try {
            return services.spawning().ptys().open(size.rows(), size.cols());
        } catch (LinuxException e) {
            throw failed("terminal", e.object(), e.errno());
        }
    }

    private Child spawn(SpawnRequest request, StartParams params) {
        try {
            return Traced.step("spawn", () -> services.spawning().spawner().spawn(request));
        } catch (LinuxException e) {
            throw services.files().call(() -> explain(request, params, e));
        }
    }

    /**
     * Explains a failed spawn by looking at the files again. They may have changed since the first look, and only this
     * look sees the interpreter in the first line of a script.
     */
    private static RpcException explain(SpawnRequest request, StartParams params, LinuxException e) {
        String name = params.argv().getFirst();
        if (e.errno() == Errno.E2BIG) {
            return tooLong(params);
        }
        if (e.errno() != Errno.ENOENT) {
            return failed(SpawnCalls.failed(e) ? "program" : e.call(), name, e.errno());
        }
        return switch (ProgramLookup.missing(request.program(), request.cwd())) {
            case WORKING_DIRECTORY -> failed("cwd", new String(request.cwd(), StandardCharsets.UTF_8), e.errno());
            case PROGRAM -> failed("program", name, e.errno());
            case INTERPRETER -> failed("interpreter", name, e.errno());
        };
    }

    /**
     * Returns the error for arguments and variables that are too long for execve(2), which is not the program's fault.
     */
    static RpcException tooLong(StartParams params) {
        return failed("arguments", params.argv().getFirst(), Errno.E2BIG);
    }

    static RpcException failed(String what, String object, int errno) {
        String subject = switch (what) {
            case "cwd" -> "working directory";
            case "interpreter" -> "interpreter of program";
            case "arguments" -> "arguments and variables of program";
            default -> what;
        };
        String remedy = errno == Errno.EAGAIN ? NO_MORE_PROCESSES : "";
        return RpcException.internal(subject + " `" + object + "`: " + Errno.text(errno) + remedy)
                .withData("errno", errno)
                .withData("what", what)
                .withData("path", object);
    }

    static RpcException cancelled(ManagedProcess process) {
        return RpcException.invalidRequest("process " + process.processId() + " start was cancelled");
    }

    private static List<String> argv(StartParams params) {
        if (params.arg0().isEmpty()) {
            return params.argv();
        }
        List<String> argv = new ArrayList<>(params.argv());
        argv.set(0, params.arg0().get());
        return argv;
    }
}
