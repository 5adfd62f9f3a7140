package dev.execserver.client;

import dev.execserver.client.command.CommandResult;
import dev.execserver.client.command.CommandSpec;
import dev.execserver.client.command.Commands;
import dev.execserver.client.error.UnsupportedFeatureException;
import dev.execserver.client.exec.Approvers;
import dev.execserver.client.files.FileTransfers;
import dev.execserver.client.files.FileWatches;
import dev.execserver.client.http.BodyStreams;
import dev.execserver.client.http.HttpRequests;
import dev.execserver.client.process.ProcessMethods;
import dev.execserver.client.process.ProcessRegistry;
import dev.execserver.client.process.ProcessSpec;
import dev.execserver.client.process.RemoteProcess;
import dev.execserver.client.rpc.AfterLoss;
import dev.execserver.client.rpc.Caller;
import dev.execserver.client.rpc.Link;
import dev.execserver.client.rpc.Links;
import dev.execserver.client.rpc.Listeners;
import dev.execserver.client.session.SessionMethods;
import dev.execserver.client.transport.Connector;
import dev.execserver.protocol.environment.EnvironmentInfo;
import dev.execserver.protocol.paths.PathUri;
import dev.execserver.protocol.permissions.SandboxContext;
import dev.execserver.protocol.process.AllowApproverResult;
import dev.execserver.protocol.process.ApproveResult;
import dev.execserver.protocol.process.ProcessInfo;
import dev.execserver.protocol.rpc.JsonWritable;
import dev.execserver.protocol.session.SessionMethodNames;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * One session with a server. Thread-safe. Its calls block; it is made for many virtual threads.
 *
 * <pre>{@code
 * try (ExecServerClient client = ExecServerClient.connect(ClientOptions.url("ws://127.0.0.1:4000").build());
 *         RemoteProcess process = client.start(ProcessSpec.of("ls", "-l").cwd("/tmp"))) {
 *     process.stdout().transferTo(target);
 *     switch (process.waitFor()) {
 *         case Outcome.Exited exited -> ...
 *         case Outcome.SandboxDenied denied -> ... ask, then client.start(spec.withoutSandbox())
 *         case Outcome.Lost lost -> ...
 *     }
 * }
 * }</pre>
 *
 * <p>If the connection is lost, the client connects again and resumes the session within the reconnect window; calls
 * wait for that. Requests that can be repeated without harm are repeated. Others fail with
 * {@link dev.execserver.client.error.ConnectionLostException}, as do all calls if the connection is lost for good.
 */
public final class ExecServerClient implements AutoCloseable {

    private static final int ATTACH_BUFFER_BYTES = 1 << 20;

    private static final String FILES_FEATURE = "/files";
    private static final String SANDBOXED_FILES_FEATURE = "Exec-Server-Sandbox";

    private final Link link;
    private final ProcessRegistry registry;
    private final Caller caller;
    private final ProcessMethods processes;
    private final EnvironmentMethods environment;
    private final SessionMethods sessions;
    private final Approvers approvers;
    private final FileMethods files;
    private final HttpRequests http;
    private final Optional<FileTransfers> transfers;
    private final Commands commands;

    private ExecServerClient(
            Link link,
            ProcessRegistry registry,
            BodyStreams bodies,
            FileWatches watches,
            Approvers approvers,
            Optional<FileTransfers> transfers,
            Duration requestTimeout) {
        this.link = link;
        this.registry = registry;
        this.caller = new Caller(link, requestTimeout);
        this.processes = new ProcessMethods(caller);
        this.environment = new EnvironmentMethods(caller);
        this.sessions = new SessionMethods(caller, processes);
        this.approvers = approvers;
        this.files = new FileMethods(caller, watches);
        this.http = new HttpRequests(caller, bodies);
        this.transfers = transfers;
        this.commands = new Commands(
                features().contains(Commands.FEATURE) ? transfers.map(FileTransfers::connection) : Optional.empty(),
                this::start);
    }

    /**
     * Connects and begins or resumes a session.
     *
     * @throws dev.execserver.client.error.ConnectFailedException when the server cannot be reached or refuses
     */
    public static ExecServerClient connect(ClientOptions options) throws InterruptedException {
        return connect(options.connector(), options);
    }

    /** Does the same over a transport of another kind, such as the fake server of the test fixtures; the URL is not used. */
    public static ExecServerClient connect(Connector connector, ClientOptions options) throws InterruptedException {
        ProcessRegistry registry = new ProcessRegistry();
        BodyStreams bodies = new BodyStreams();
        FileWatches watches = new FileWatches();
        Approvers approvers = new Approvers();
        Listeners listeners = new Listeners(List.of(
                registry,
                bodies,
                watches,
                approvers,
                options.policyListener(),
                options.execListener(),
                options.connectionEvents()));
        Link link = Links.open(connector, options.linkOptions(), listeners);
        return new ExecServerClient(
                link, registry, bodies, watches, approvers, options.transfers(), options.requestTimeout());
    }

    /**
     * Returns the id with which the session can be resumed; empty for servers of the first era, which have no sessions.
     */
    public Optional<String> sessionId() {
        return link.greeting().sessionId();
    }

    /** Returns the names of the server's additions to the protocol; see docs/protocol-additions.md. */
    public Set<String> features() {
        return link.greeting().features();
    }

    /**
     * Returns the time for which the session outlives a connection, if it was asked for and the server has answered.
     */
    public Optional<Duration> sessionTtl() {
        return link.greeting().sessionTtl();
    }

    /** Returns the server's description of its host from the handshake; older servers send none. */
    public Optional<EnvironmentInfo> environmentInfo() {
        return link.greeting().environment();
    }

    /**
     * Starts a process.
     *
     * @throws dev.execserver.client.error.RequestFailedException when it cannot be started
     * @throws dev.execserver.client.error.ConnectionLostException when the connection was lost before the answer came.
     *     If the process runs, it is ended as soon as there is a connection again
     * @throws dev.execserver.client.error.UnsupportedFeatureException when the spec needs an addition that the server
     *     lacks
     */
    public RemoteProcess start(ProcessSpec spec) throws InterruptedException {
        return registry.start(processes, spec, defaultCwd());
    }

    /** Does the same as {@link #exec} for a command with nothing but arguments. */
    public CommandResult run(String... argv) throws InterruptedException {
        return exec(CommandSpec.of(argv));
    }

    /**
     * Runs a command to its end, and returns its output and exit code. Uses {@code POST /v1/exec} if the server offers it and
     * the client has a token, otherwise a process of this session; the result is the same. The command is killed when
     * the thread is interrupted.
     *
     * @throws dev.execserver.client.error.RequestFailedException when it cannot be started
     * @throws dev.execserver.client.error.ConnectionLostException when the result was lost with a connection; the
     *     command may have run
     */
    public CommandResult exec(CommandSpec spec) throws InterruptedException {
        return commands.run(spec);
    }

    /** Makes a handle for a process of this session, with all output that the server has kept. */
    public RemoteProcess attach(String processId) {
        return attach(processId, 0);
    }

    /** Does the same as {@link #attach(String)} without the events up to {@code afterSeq}. */
    public RemoteProcess attach(String processId, long afterSeq) {
        return registry.attach(processes, processId, afterSeq, ATTACH_BUFFER_BYTES);
    }

    /** Returns the processes of this session; needs the feature {@code process/list}. */
    public List<ProcessInfo> list() throws InterruptedException {
        return processes.list().processes();
    }

    /** Returns the plain {@code process/*} methods. */
    public ProcessMethods processes() {
        return processes;
    }

    /** Returns the {@code environment/*} methods. */
    public EnvironmentMethods environment() {
        return environment;
    }

    /** Returns the methods by which sessions are found and observed. */
    public SessionMethods sessions() {
        return sessions;
    }

    /**
     * Makes a right to answer the questions about programs of this session: whoever calls {@link #approve} with its token is asked
     * as well as this client, and the first answer counts. It ends with the session.
     *
     * @throws UnsupportedFeatureException when the server lacks {@code exec/allowApprover}
     */
    public AllowApproverResult allowApprover() throws InterruptedException {
        return approvers.allow(caller);
    }

    /**
     * Uses such a right of another session: its questions come to the handler of {@link ClientOptions.Builder#execApprovals}, with an
     * {@code approverId}, as long as both last, also across a reconnect. One connection at a time uses a token.
     *
     * @throws dev.execserver.client.error.RequestFailedException when the token is unknown or its session has ended
     * @throws UnsupportedFeatureException when the server lacks {@code exec/approve}
     */
    public ApproveResult approve(String token) throws InterruptedException {
        return approvers.approve(caller, token);
    }

    /** Returns the {@code fs/*} methods. */
    public FileMethods files() {
        return files;
    }

    /** Returns the copies of whole directories. */
    public FileTrees trees() {
        return new FileTrees(files, features());
    }

    /** Returns the HTTP requests that the server makes: {@code http/request}. */
    public HttpRequests http() {
        return http;
    }

    /**
     * Returns transfers of whole files of any size, over HTTP beside the WebSocket.
     *
     * @throws dev.execserver.client.error.UnsupportedFeatureException when the server does not offer them; it needs
     *     authentication to do so
     * @throws IllegalStateException when this client has no token
     */
    public FileTransfers transfers() {
        if (!features().contains(FILES_FEATURE)) {
            throw new UnsupportedFeatureException(FILES_FEATURE);
        }
        return transfers.orElseThrow(() -> new IllegalStateException("transfers need a bearer token"));
    }

    /**
     * Does the same as {@link #transfers()}, in a sandbox and with the file helpers of this session.
     *
     * @throws dev.execserver.client.error.UnsupportedFeatureException also when the server cannot sandbox transfers
     */
    public FileTransfers transfers(SandboxContext sandbox) {
        if (!features().contains(SANDBOXED_FILES_FEATURE)) {
            throw new UnsupportedFeatureException(SANDBOXED_FILES_FEATURE);
        }
        return transfers().sandboxed(sandbox, sessionId());
    }

    /**
     * Ends the connection; pending calls fail. Processes go on, and the session can be resumed within its time to live.
     * A server that this client has started as a program ends with its processes.
     */
    @Override
    public void close() {
        link.close();
        transfers.ifPresent(FileTransfers::close);
    }

    /**
     * Ends the session with all its running processes, then the connection. A server without this addition keeps the
     * session until its time to live is over.
     */
    public void end() throws InterruptedException {
        try {
            if (features().contains(SessionMethodNames.END)) {
                caller.call(
                        SessionMethodNames.END, JsonWritable.EMPTY_OBJECT, AfterLoss.FAIL, (result, dialect) -> result);
            }
        } finally {
            close();
        }
    }

    private PathUri defaultCwd() {
        return environmentInfo().flatMap(EnvironmentInfo::cwd).orElseGet(() -> PathUri.ofNative("/"));
    }
}
