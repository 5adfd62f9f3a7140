package dev.execserver.client.mcp;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.execserver.client.ExecServerClient;
import dev.execserver.client.error.ExecServerException;
import dev.execserver.client.error.UnsupportedFeatureException;
import dev.execserver.client.process.Outcome;
import dev.execserver.client.process.ProcessSpec;
import dev.execserver.client.process.RemoteProcess;
import dev.execserver.client.transport.ClientThreads;
import dev.execserver.protocol.text.VisibleText;
import io.modelcontextprotocol.json.McpJsonMapper;
import io.modelcontextprotocol.json.TypeRef;
import io.modelcontextprotocol.spec.McpClientTransport;
import io.modelcontextprotocol.spec.McpSchema;
import io.modelcontextprotocol.spec.McpSchema.JSONRPCMessage;
import io.modelcontextprotocol.spec.McpSchema.JSONRPCRequest;
import io.modelcontextprotocol.spec.McpSchema.JSONRPCResponse;
import io.modelcontextprotocol.spec.McpSchema.JSONRPCResponse.JSONRPCError;
import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.function.Function;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;
import reactor.core.scheduler.Schedulers;

/**
 * Stdio transport of MCP for a server on another machine: one JSON message a line on the pipes of a remote process. If
 * the connection is lost and made again within the client's window, MCP does not notice: no message is lost or
 * repeated. If the server has ended, its unanswered requests fail at once.
 *
 * <pre>{@code
 * McpClientTransport transport = new RemoteStdioTransport(client, ProcessSpec.of("my-mcp-server"), json);
 * try (McpSyncClient mcp = McpClient.sync(transport).build()) {
 *     mcp.initialize();
 * }
 * }</pre>
 *
 * <p>It can be connected once, and is thread-safe afterwards. The caller keeps the session of the exec-server.
 */
public final class RemoteStdioTransport implements McpClientTransport {

    /** Time for a server to end after the end of its input, and once more after SIGTERM. */
    public static final Duration DEFAULT_GRACE = Duration.ofSeconds(2);

    /** Longest line that is accepted from a server. */
    public static final int MAX_LINE_BYTES = 16 << 20;

    private static final System.Logger LOG = System.getLogger(RemoteStdioTransport.class.getName());

    private final ExecServerClient client;
    private final ProcessSpec spec;
    private final McpJsonMapper json;
    private final ExecutorService writer = ClientThreads.oneVirtual("exec-client-mcp-in");
    private final Scheduler inOrder = Schedulers.fromExecutorService(writer);
    private final AtomicReference<RemoteProcess> process = new AtomicReference<>();
    private volatile Duration grace = DEFAULT_GRACE;
    private volatile Consumer<String> stderr = line -> LOG.log(System.Logger.Level.DEBUG, VisibleText.of(line));
    private volatile Consumer<Throwable> failed = e -> LOG.log(System.Logger.Level.WARNING, e.getMessage());
    private final AtomicBoolean closing = new AtomicBoolean();
    private final CompletableFuture<Void> ended = new CompletableFuture<>();

    /** Ids of our requests without an answer. */
    private final Set<Object> unanswered = ConcurrentHashMap.newKeySet();

    /** Reason why no more answers will come. */
    private volatile Optional<String> over = Optional.empty();

    /** @param spec program to start, without a terminal */
    public RemoteStdioTransport(ExecServerClient client, ProcessSpec spec, McpJsonMapper json) {
        this.client = client;
        this.spec = spec;
        this.json = json;
    }

    /**
     * Sets the receiver of lines that the server writes to stderr; default: they are logged at debug level. Call it
     * before {@link #connect}.
     */
    public RemoteStdioTransport onStderr(Consumer<String> consumer) {
        stderr = consumer;
        return this;
    }

    /** Sets the grace, instead of {@link #DEFAULT_GRACE}. */
    public RemoteStdioTransport grace(Duration value) {
        grace = value;
        return this;
    }

    /**
     * Sets the receiver of errors: a line that is no message, and the server's unexpected end. Default: a warning in
     * the log.
     */
    @Override
    public void setExceptionHandler(Consumer<Throwable> handler) {
        failed = handler;
    }

    /** Starts the server. */
    @Override
    public Mono<Void> connect(Function<Mono<JSONRPCMessage>, Mono<JSONRPCMessage>> handler) {
        return Mono.<Void>fromCallable(() -> {
                    RemoteProcess started = client.start(spec.stdin());
                    if (!process.compareAndSet(null, started)) {
                        started.close();
                        throw new IllegalStateException("this transport is connected already");
                    }
                    if (closing.get()) {
                        started.close();
                        throw closed();
                    }
                    ClientThreads.virtual("exec-client-mcp-out", () -> readMessages(started, handler));
                    ClientThreads.virtual("exec-client-mcp-err", () -> readErrors(started));
                    return null;
                })
                .subscribeOn(inOrder)
                .onErrorMap(RejectedExecutionException.class, e -> closed());
    }

    private static IllegalStateException closed() {
        return new IllegalStateException("this transport is closed");
    }

    private void readMessages(RemoteProcess from, Function<Mono<JSONRPCMessage>, Mono<JSONRPCMessage>> handler) {
        try {
            LineReader lines = new LineReader(from.stdout(), MAX_LINE_BYTES);
            for (Optional<String> line = lines.next(); line.isPresent(); line = lines.next()) {
                if (!line.get().isBlank()) {
                    handle(line.get(), handler);
                }
            }
            end(new IOException("the MCP server " + outcome(from)), handler);
        } catch (IOException e) {
            end(e, handler);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void handle(String line, Function<Mono<JSONRPCMessage>, Mono<JSONRPCMessage>> handler) {
        try {
            JSONRPCMessage message = McpSchema.deserializeJsonRpcMessage(json, line);
            if (message instanceof JSONRPCResponse response) {
                boolean unused = unanswered.remove(response.id());
            }
            handler.apply(Mono.just(message)).subscribe(answer -> {}, this::tell);
        } catch (IOException | RuntimeException e) {
            tell(new IOException(
                    VisibleText.oneLine("the MCP server has written a line that is no message: " + e.getMessage()), e));
        }
    }

    private static String outcome(RemoteProcess ended) throws InterruptedException {
        return switch (ended.waitFor()) {
            case Outcome.Exited exited -> "has ended with exit code " + exited.exitCode();
            case Outcome.SandboxDenied denied ->
                "has ended with exit code " + denied.exitCode() + ", probably because of its sandbox";
            case Outcome.Lost lost -> "is lost: " + lost.reason();
        };
    }

    /**
     * Fails the unanswered requests: an error is an answer too, and without one the session would wait for its own
     * limit.
     */
    private void end(IOException why, Function<Mono<JSONRPCMessage>, Mono<JSONRPCMessage>> handler) {
        over = Optional.of(why.getMessage());
        tell(why);
        for (Object id : unanswered) {
            JSONRPCError error = new JSONRPCError(McpSchema.ErrorCodes.INTERNAL_ERROR, why.getMessage());
            handler.apply(Mono.just(JSONRPCResponse.error(id, error))).subscribe(answer -> {}, this::tell);
        }
        unanswered.clear();
    }

    private void tell(Throwable failure) {
        if (!closing.get()) {
            failed.accept(failure);
        }
    }

    /** Reads stderr to its end, whatever fails: a server that blocks on its stderr does not answer any more. */
    private void readErrors(RemoteProcess from) {
        try (InputStream errors = from.stderr()) {
            LineReader lines = new LineReader(errors, MAX_LINE_BYTES);
            for (Optional<String> line = lines.next(); line.isPresent(); line = lines.next()) {
                stderr.accept(line.get());
            }
        } catch (IOException | RuntimeException e) {
            LOG.log(System.Logger.Level.WARNING, "stderr of the MCP server is not told any more", e);
        }
    }

    /** Completes when the exec-server has the message; fails when the server has ended. */
    @Override
    public Mono<Void> sendMessage(JSONRPCMessage message) {
        return Mono.<Void>fromCallable(() -> {
                    RemoteProcess target = process.get();
                    if (target == null) {
                        throw new IllegalStateException("this transport is not connected");
                    }
                    expectAnswer(message);
                    target.write((json.writeValueAsString(message) + "\n").getBytes(UTF_8));
                    return null;
                })
                .subscribeOn(inOrder)
                .onErrorMap(RejectedExecutionException.class, e -> closed());
    }

    /**
     * Records the request, then checks for the end. In this order either this method sees the end, or the code that
     * handles the end sees the request.
     */
    private void expectAnswer(JSONRPCMessage message) throws IOException {
        if (message instanceof JSONRPCRequest request) {
            boolean unused = unanswered.add(request.id());
        }
        if (over.isPresent()) {
            throw new IOException(over.get());
        }
    }

    @Override
    public <T> T unmarshalFrom(Object data, TypeRef<T> type) {
        return json.convertValue(data, type);
    }

    /**
     * Ends the server's input. If the server does not end, sends SIGTERM and then SIGKILL. Completes when it has ended.
     * A server that does not read blocks earlier messages, but only for its grace.
     */
    @Override
    public Mono<Void> closeGracefully() {
        return Mono.fromFuture(this::end, true);
    }

    private CompletableFuture<Void> end() {
        if (closing.compareAndSet(false, true)) {
            writer.shutdown();
            ClientThreads.virtual("exec-client-mcp-end", () -> {
                try {
                    boolean allWritten = writer.awaitTermination(grace.toNanos(), TimeUnit.NANOSECONDS);
                    RemoteProcess last = process.get();
                    if (last != null) {
                        end(last, allWritten);
                    }
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                } finally {
                    boolean unused = ended.complete(null);
                }
            });
        }
        return ended;
    }

    private void end(RemoteProcess last, boolean allWritten) throws InterruptedException {
        try (last) {
            if (last.exitCode().isEmpty() && !(allWritten && endsByItself(last)) && !endsBySignal(last)) {
                LOG.log(System.Logger.Level.WARNING, "the MCP server {0} was not seen to end", last.id());
            }
        } catch (ExecServerException e) {
            // Without a connection the process ends with its session.
            LOG.log(System.Logger.Level.DEBUG, "ending an MCP server", e);
        }
    }

    private boolean endsByItself(RemoteProcess last) throws InterruptedException {
        try {
            last.closeStdin();
        } catch (UnsupportedFeatureException e) {
            return false;
        }
        return last.waitFor(grace).isPresent();
    }

    private boolean endsBySignal(RemoteProcess last) throws InterruptedException {
        try {
            boolean unused = last.terminate(grace);
        } catch (UnsupportedFeatureException e) {
            boolean unused = last.terminate();
        }
        return last.waitFor(grace.plus(DEFAULT_GRACE)).isPresent();
    }
}
