package dev.execserver.server;

import dev.execserver.cli.local.ConfigException;
import dev.execserver.protocol.app.AppInitializeResult;
import dev.execserver.protocol.app.AppMethodNames;
import dev.execserver.protocol.environment.ConfigReadResult;
import dev.execserver.protocol.environment.EnvironmentInfo;
import dev.execserver.protocol.paths.PathUri;
import dev.execserver.protocol.session.SessionMethodNames;
import dev.execserver.sandbox.intercept.TrustedEnvironment;
import dev.execserver.sandbox.io.Buffers;
import dev.execserver.sandbox.io.KernelPtyFactory;
import dev.execserver.sandbox.io.Poller;
import dev.execserver.sandbox.io.PtyFactory;
import dev.execserver.sandbox.ledger.Ledger;
import dev.execserver.sandbox.spawn.FileLimit;
import dev.execserver.sandbox.spawn.ProcessMarks;
import dev.execserver.sandbox.spawn.Spawner;
import dev.execserver.sandbox.tree.Guardian;
import dev.execserver.sandbox.tree.ProcessTree;
import dev.execserver.server.access.AccessEvent;
import dev.execserver.server.access.AccessKind;
import dev.execserver.server.access.AccessLog;
import dev.execserver.server.access.AccessLogs;
import dev.execserver.server.admin.Drain;
import dev.execserver.server.app.AppMethods;
import dev.execserver.server.app.CommandHost;
import dev.execserver.server.app.HttpCommands;
import dev.execserver.server.app.WorkingDirectories;
import dev.execserver.server.concurrent.FileWorkers;
import dev.execserver.server.concurrent.Timers;
import dev.execserver.server.config.Auth;
import dev.execserver.server.config.Limits;
import dev.execserver.server.config.Platform;
import dev.execserver.server.config.ServerConfig;
import dev.execserver.server.credentials.CredentialWatch;
import dev.execserver.server.credentials.Credentials;
import dev.execserver.server.environment.EnvironmentProbe;
import dev.execserver.server.environment.ServerEnvironment;
import dev.execserver.server.exec.ExecInterceptions;
import dev.execserver.server.files.FileWatcher;
import dev.execserver.server.files.Transfers;
import dev.execserver.server.helper.HelperFiles;
import dev.execserver.server.helper.HelperServices;
import dev.execserver.server.mcp.McpServer;
import dev.execserver.server.mcp.http.HttpSessions;
import dev.execserver.server.mcp.shell.ShellToolboxes;
import dev.execserver.server.memory.DescriptorBudget;
import dev.execserver.server.memory.MemoryBudget;
import dev.execserver.server.memory.ServerMemory;
import dev.execserver.server.methods.ApproverMethods;
import dev.execserver.server.methods.DiscoveryMethods;
import dev.execserver.server.methods.EnvironmentMethods;
import dev.execserver.server.methods.FileMethods;
import dev.execserver.server.methods.HttpMethods;
import dev.execserver.server.methods.ObserverMethods;
import dev.execserver.server.methods.ProcessMethods;
import dev.execserver.server.methods.SandboxMethods;
import dev.execserver.server.methods.SessionMethods;
import dev.execserver.server.methods.WatchMethods;
import dev.execserver.server.net.EnvironmentProxies;
import dev.execserver.server.net.HttpClients;
import dev.execserver.server.peer.PeerGuard;
import dev.execserver.server.process.ProcessServices;
import dev.execserver.server.process.SandboxServices;
import dev.execserver.server.process.SpawnServices;
import dev.execserver.server.process.StreamServices;
import dev.execserver.server.process.output.OutputBounds;
import dev.execserver.server.process.output.RetentionBudget;
import dev.execserver.server.process.start.ProcessStarter;
import dev.execserver.server.process.start.Pty4jFactory;
import dev.execserver.server.proxy.NetworkProxies;
import dev.execserver.server.proxy.rules.ProxyBounds;
import dev.execserver.server.proxy.rules.UpstreamProxies;
import dev.execserver.server.rights.CommandBounds;
import dev.execserver.server.rpc.AppDialect;
import dev.execserver.server.rpc.AppHandshake;
import dev.execserver.server.rpc.Dispatcher;
import dev.execserver.server.rpc.Dispatcher.RequestBounds;
import dev.execserver.server.rpc.Handshake;
import dev.execserver.server.rpc.Method;
import dev.execserver.server.rpc.MethodTable;
import dev.execserver.server.sandbox.FloorEscalation;
import dev.execserver.server.sandbox.ProfilesRefresh;
import dev.execserver.server.sandbox.RuntimeDirectory;
import dev.execserver.server.sandbox.SandboxSettings;
import dev.execserver.server.sandbox.Sandboxes;
import dev.execserver.server.schema.MembersChecks;
import dev.execserver.server.schema.SchemaDialect;
import dev.execserver.server.session.SessionRegistry;
import dev.execserver.server.session.SessionRegistry.SessionBounds;
import dev.execserver.server.transport.ConnectionHandler;
import dev.execserver.server.transport.websocket.WebSocketOptions;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * Makes the parts of a server and connects them, by hand and in order: first those that start processes, then sessions,
 * methods and the listener. Parts that must be closed go to the closers. The thread that starts the server uses it
 * once.
 */
final class Assembly {

    /** Native buffers that are kept for reading output and writing input; more are made when needed. */
    private static final int IDLE_BUFFERS = 32;

    private final SessionRegistry sessions;
    private final Listener listener;
    private final AccessLog accessLog;
    private final Credentials credentials;
    private final Drain drain;

    Assembly(ServerConfig config, Front front, ResourceStack closers) {
        ConfiguredFileChecks.check(config);
        // Before anything is started, because the files may be wrong.
        credentials = new Credentials(config);
        WebSocketOptions.Access access = Listener.access(config, credentials);
        // Closed last: what ends before it is logged.
        Observation observation = new Observation(config.management());
        Map<String, String> environment = ServerEnvironment.read();
        accessLog = observation.over(
                config.accessLog().on() ? closers.add(AccessLogs.open(config.accessLog())) : AccessLog.OFF, closers);
        closers.add(() -> accessLog.write(AccessEvent.of(AccessKind.SERVER_STOPPED)));
        ConfiguredFileChecks.temporaryFolder(environment);
        EnvironmentProbe probe = EnvironmentProbe.ofThisProcess(environment);
        EnvironmentInfo info = probe.probe(Announcements.capabilities(config));
        ServerMemory memory = ServerMemory.of(config.limits().requestMemoryBytes());
        DescriptorBudget descriptors = descriptors();
        Poller poller = closers.add(new Poller());
        Timers timers = closers.add(new Timers());
        Ledger ledger = closers.add(Ledger.create());
        RuntimeDirectory directory =
                closers.add(RuntimeDirectory.create(config.paths().stateDirectory(), ledger));
        PeerGuard guard = closers.add(new PeerGuard(
                !(config.listen().auth() instanceof Auth.None),
                config.listen().localAccess().uids()));
        State state = new State(ledger, directory);
        Optional<OperatorRules> rules = OperatorRules.read(config);
        ProcessServices services = processServices(
                config, environment, memory.input(), descriptors, closers, poller, timers, state, rules);
        sessions = sessions(config, services, accessLog);
        observation.watch(sessions, memory, descriptors);
        observation.watch(services.streams().retention().budget());
        drain = new Drain(sessions, timers);
        Handshake handshake = new Handshake(
                sessions,
                info,
                config.dialect(),
                Announcements.features(config),
                checks(config, SchemaDialect.EXEC).of(SessionMethodNames.INITIALIZE));
        HttpClients http = closers.add(new HttpClients(environment, "exec-server/" + info.executorVersion()));
        List<Method<?>> methods = new ArrayList<>();
        methods.addAll(new EnvironmentMethods(info, probe.noConfig(info), warnings(config, services)).methods());
        Sandboxes sandboxes = services.limiting().sandboxes();
        HelperFiles helpers = closers.add(new HelperFiles(
                new HelperServices(
                        sandboxes,
                        services.files(),
                        timers,
                        services.streams().buffers(),
                        services.spawning().marks(),
                        services.spawning().tree(),
                        descriptors),
                config.paths().helperJar(),
                config.limits().maxHelpers(),
                config.platform().helper()));
        ProcessStarter starter = new ProcessStarter(services, environment, config.dialect());
        methods.addAll(new ProcessMethods(starter, helpers).methods());
        methods.addAll(SessionMethods.methods());
        methods.addAll(new ApproverMethods(sessions.approvers(), accessLog).methods());
        methods.addAll(new ObserverMethods(sessions, services.files(), accessLog).methods());
        methods.addAll(DiscoveryMethods.methods());
        methods.addAll(new SandboxMethods(
                        services.limiting().sandboxes(), services.limiting().execs())
                .methods());
        methods.addAll(new FileMethods(
                        helpers,
                        services.files(),
                        () -> services.limiting().sandboxes().ripgrep(FileMethods.RIPGREP_LIMIT))
                .methods());
        closers.add(ProfilesRefresh.start(sandboxes.profiles(), services.files(), timers));
        methods.addAll(new WatchMethods(
                        closers.add(new FileWatcher(poller, memory.watches())), services.files(), sandboxes::visibility)
                .methods());
        methods.addAll(new HttpMethods(
                        http,
                        environment,
                        config.http().protectedEnv(),
                        memory.answers(),
                        () -> sandboxes.floor().checkNetwork("http/request"))
                .methods());
        MethodTable table = new MethodTable(methods, config.dialect(), checks(config, SchemaDialect.EXEC));
        ConfigReadResult folders = probe.noConfig(info);
        CommandHost commands = new CommandHost(
                starter,
                sandboxes.profiles(),
                services.files(),
                descriptors,
                environment,
                WorkingDirectories.of(info),
                memory.answers(),
                config.dialect());
        AppDialect app = app(config, new AppMethods(commands).methods(), info, folders);
        Limits limits = config.limits();
        RequestBounds bounds =
                new RequestBounds(limits.concurrentRequests(), limits.maxInFlightBytes(), memory, descriptors);
        Optional<ShellToolboxes> tools = front == Front.MCP || config.mcp().http()
                ? Optional.of(new ShellToolboxes(
                        config, sessions, sandboxes, starter, services.files(), memory.answers(), accessLog))
                : Optional.empty();
        ConnectionHandler handler = switch (front) {
            case EXEC_SERVER ->
                new Dispatcher(
                        table,
                        handshake,
                        app,
                        bounds,
                        services.files(),
                        services.timers(),
                        HeapCollector::largeMessageDone,
                        accessLog);
            case MCP -> new McpServer(tools.orElseThrow());
        };
        HttpCommands httpCommands = new HttpCommands(
                commands, sessions, accessLog, checks(config, SchemaDialect.APP).of(AppMethodNames.EXEC));
        Transfers transfers = new Transfers(
                helpers, services.files(), descriptors, config.dialect(), sessions::find, memory.answers());
        listener = Listener.of(
                config,
                access.withPeers(guard),
                accessLog,
                memory,
                descriptors,
                services.files(),
                transfers,
                tools.map(made -> new HttpSessions(made, timers, config.mcp().sessionTtl(), sessions::stopping)),
                observation.pageForClients(),
                httpCommands,
                checked -> RuntimeAssembly.of(
                        config.listen(), checked, httpCommands, services, transfers, sessions, timers),
                handler,
                () -> Observation.ready(sessions));
        observation
                .open(sessions, drain, () -> credentials.reload(accessLog), accessLog)
                .ifPresent(closers::add);
        CredentialWatch.start(credentials, services.files(), timers, accessLog);
    }

    /** Returns no warnings in the strict dialect: the reference protocol has no member for them. */
    private static Supplier<List<String>> warnings(ServerConfig config, ProcessServices services) {
        return config.dialect().open() ? services.limiting().sandboxes()::warnings : List::of;
    }

    private AppDialect app(
            ServerConfig config, List<Method<?>> methods, EnvironmentInfo info, ConfigReadResult folders) {
        List<String> names = methods.stream().map(Method::name).sorted().toList();
        AppInitializeResult greeting = new AppInitializeResult(
                "exec-server/" + info.executorVersion(),
                folders.codexHomeDir().map(PathUri::display).orElse(""),
                config.dialect().open() ? names : List.of());
        MembersChecks checks = checks(config, SchemaDialect.APP);
        return new AppDialect(
                new AppHandshake(sessions, greeting, checks.of(SessionMethodNames.INITIALIZE)),
                MethodTable.ofApp(methods, config.dialect(), checks));
    }

    private static MembersChecks checks(ServerConfig config, SchemaDialect dialect) {
        return MembersChecks.of(config.protocol().members(), dialect, config.dialect());
    }

    SessionRegistry sessions() {
        return sessions;
    }

    Credentials credentials() {
        return credentials;
    }

    Drain drain() {
        return drain;
    }

    AccessLog accessLog() {
        return accessLog;
    }

    Listener listener() {
        return listener;
    }

    private static DescriptorBudget descriptors() {
        FileLimit.raiseForServer();
        DescriptorBudget room = DescriptorBudget.ofThisProcess();
        if (room.tooSmallForAServer()) {
            throw ConfigException.failure("the limit of open files is " + room.limit()
                    + ", and the server needs at least " + DescriptorBudget.SMALLEST_LIMIT + "; raise it (ulimit -n)");
        }
        return room;
    }

    /** Data that the server keeps for its guardian and the other servers of its user. */
    private record State(Ledger ledger, RuntimeDirectory directory) {}

    private static ProcessServices processServices(
            ServerConfig config,
            Map<String, String> environment,
            MemoryBudget input,
            DescriptorBudget descriptors,
            ResourceStack closers,
            Poller poller,
            Timers timers,
            State state,
            Optional<OperatorRules> rules) {
        Ledger ledger = state.ledger();
        RuntimeDirectory directory = state.directory();
        Spawner spawner = closers.add(new Spawner(poller));
        ProcessMarks marks = ProcessMarks.create();
        if (config.platform().guardian()) {
            closers.add(Guardian.start(spawner, marks, ledger));
        }
        ProcessTree tree = closers.add(new ProcessTree());
        Sandboxes sandboxes = closers.add(new Sandboxes(
                new Sandboxes.SpawnResources(spawner, poller, marks, tree, descriptors, ledger),
                directory,
                environment,
                SandboxSettings.of(config)));
        sandboxes.pinPrograms();
        FileWorkers files = closers.add(new FileWorkers(config.limits().fsThreads(), timers));
        rules.ifPresent(known -> known.watch(timers, files));
        CommandBounds bounds = config.platform().bounds();
        SpawnServices spawning = new SpawnServices(
                spawner,
                marks,
                tree,
                ptys(config, poller, directory.path()),
                closers.add(bounds.groups(directory.name(), ledger)),
                bounds);
        StreamServices streams = new StreamServices(
                new Buffers(IDLE_BUFFERS), retention(config), config.limits().stdinQueueBytes(), input);
        SandboxServices limiting = new SandboxServices(
                sandboxes,
                closers.add(new NetworkProxies(
                        poller, timers, descriptors, proxies(config, environment), ProxyBounds.DEFAULT)),
                closers.add(new ExecInterceptions(
                        poller,
                        spawner,
                        marks,
                        files,
                        new ExecInterceptions.Settings(
                                rules.map(known -> known),
                                () -> FloorEscalation.of(sandboxes, spawner),
                                TrustedEnvironment.standard()
                                        .keeping(config.platform().sandbox().keptVariables()),
                                config.dialect()))));
        return new ProcessServices(spawning, streams, limiting, files, timers, config.dialect());
    }

    private static NetworkProxies.Operator proxies(ServerConfig config, Map<String, String> environment) {
        Platform.Sandbox settings = config.platform().sandbox();
        return new NetworkProxies.Operator(
                new EnvironmentProxies(environment),
                settings.tcpUpstream()
                        .map(proxy -> new UpstreamProxies.Upstream(proxy.host(), proxy.port(), Optional.empty())),
                settings.transparentTcp());
    }

    private static PtyFactory ptys(ServerConfig config, Poller poller, Path privateFolder) {
        return switch (config.platform().pty()) {
            case FFM -> new KernelPtyFactory(poller);
            case PTY4J -> new Pty4jFactory(poller, privateFolder);
        };
    }

    private static OutputBounds retention(ServerConfig config) {
        var wanted = config.retention();
        return new OutputBounds(
                wanted.outputMemoryBytes(),
                wanted.outputRetentionBytes(),
                wanted.spillDirectory(),
                wanted.spillFreeBytes(),
                new RetentionBudget(wanted.retainedMemoryBytes(), wanted.retainedBytes()));
    }

    private static SessionRegistry sessions(ServerConfig config, ProcessServices services, AccessLog accessLog) {
        Limits limits = config.limits();
        SessionBounds bounds = new SessionBounds(
                limits.maxSessions(),
                limits.maxProcesses(),
                config.retention().processRetention(),
                config.timing().sessionTtl(),
                config.timing().sessionTtlMax());
        return new SessionRegistry(services, services.timers(), bounds, accessLog);
    }
}
