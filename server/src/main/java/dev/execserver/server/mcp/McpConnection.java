package dev.execserver.server.mcp;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.execserver.protocol.rpc.ErrorCodes;
import dev.execserver.protocol.rpc.ErrorResponse;
import dev.execserver.protocol.rpc.JsonRpcMessage;
import dev.execserver.protocol.rpc.JsonSlice;
import dev.execserver.protocol.rpc.JsonWritable;
import dev.execserver.protocol.rpc.MessageBuffer;
import dev.execserver.protocol.rpc.Notification;
import dev.execserver.protocol.rpc.ParamsReader;
import dev.execserver.protocol.rpc.Request;
import dev.execserver.protocol.rpc.RequestId;
import dev.execserver.protocol.rpc.Response;
import dev.execserver.protocol.rpc.RpcException;
import dev.execserver.server.concurrent.Threads;
import dev.execserver.server.environment.ServerVersion;
import dev.execserver.server.transport.auth.Subject;
import java.io.IOException;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BiFunction;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One client of the Model Context Protocol: handshake, dispatch, cancellation.
 *
 * <p>One thread at a time receives messages. It answers what needs no waiting; each call of a tool has a virtual thread of its
 * own. The map holds the calls that have no answer yet.
 */
public final class McpConnection implements ClientAccess, AutoCloseable {
    /** Largest number of calls that run at once. */
    static final int MAX_CALLS = 256;

    /** Characters of an unknown method's name that its error repeats. */
    private static final int MAX_SHOWN_CHARS = 100;

    private static final Logger LOG = LoggerFactory.getLogger(McpConnection.class);

    private final BiFunction<ClientTraits, ClientAccess, Toolbox> opener;
    private final Peer general;
    private final Optional<Subject> subject;
    private final ServerRequests requests = new ServerRequests();
    private final Map<RequestId, OpenCall> calls = new ConcurrentHashMap<>();
    private volatile Optional<Opened> opened = Optional.empty();
    private volatile boolean closed;

    private record Opened(ClientTraits traits, Toolbox tools) {}

    /**
     * @param opener makes the tools of a client when it has introduced itself
     * @param general way to the client for what belongs to no call
     * @param subject owner of the client's credential
     */
    public McpConnection(
            BiFunction<ClientTraits, ClientAccess, Toolbox> opener, Peer general, Optional<Subject> subject) {
        this.subject = subject;
        this.opener = opener;
        this.general = general;
    }

    /** Takes a message that came from {@code peer}, where its answer goes. */
    public void receive(JsonRpcMessage message, Peer peer) {
        switch (message) {
            case Request request -> request(request, peer);
            case Notification notification -> notification(notification);
            case Response(RequestId id, JsonSlice result, var _) -> requests.answered(id, result);
            case ErrorResponse error -> requests.refused(error.id(), error.error());
        }
    }

    @Override
    public Optional<Subject> subject() {
        return subject;
    }

    /** Returns true if the client has introduced itself. */
    public boolean initialized() {
        return opened.isPresent();
    }

    // ---- requests

    private void request(Request request, Peer peer) {
        if (request.method().equals("tools/call") && opened.isPresent()) {
            startCall(request, peer);
            return;
        }
        MessageBuffer answer;
        try {
            answer = Messages.result(request.id(), answered(request));
        } catch (RpcException e) {
            answer = Messages.error(Optional.of(request.id()), e);
        }
        peer.send(answer);
        peer.requestEnded();
    }

    /** Answers a request that needs no waiting. */
    private JsonWritable answered(Request request) {
        return switch (request.method()) {
            case "initialize" -> initialize(request.params());
            case "ping" -> JsonWritable.EMPTY_OBJECT;
            case "tools/list" -> tools().list();
            case "codex/sandbox-state/update" -> {
                tools().updateSandbox(request.params());
                yield JsonWritable.EMPTY_OBJECT;
            }
            case "resources/list" -> emptyList("resources");
            case "resources/templates/list" -> emptyList("resourceTemplates");
            case "prompts/list" -> emptyList("prompts");
            default -> {
                Toolbox _ = tools();
                throw RpcException.of(ErrorCodes.METHOD_NOT_FOUND, "unknown method `" + shown(request.method()) + "`");
            }
        };
    }

    private static String shown(String method) {
        return method.length() <= MAX_SHOWN_CHARS ? method : method.substring(0, MAX_SHOWN_CHARS) + "...";
    }

    private static JsonWritable emptyList(String name) {
        return g -> {
            g.writeStartObject();
            g.writeArrayFieldStart(name);
            g.writeEndArray();
            g.writeEndObject();
        };
    }

    private Toolbox tools() {
        return opened.map(Opened::tools)
                .orElseThrow(() -> RpcException.invalidRequest("the first request must be `initialize`"));
    }

    private JsonWritable initialize(JsonSlice params) {
        if (opened.isPresent()) {
            throw RpcException.invalidRequest("the client has introduced itself already");
        }
        ClientTraits traits = ClientTraits.read(params);
        opened = Optional.of(new Opened(traits, opener.apply(traits, this)));
        return g -> greeting(g, ProtocolVersions.negotiated(traits.version()));
    }

    private static void greeting(JsonGenerator g, String version) throws IOException {
        g.writeStartObject();
        g.writeStringField("protocolVersion", version);
        g.writeObjectFieldStart("capabilities");
        g.writeObjectFieldStart("experimental");
        g.writeObjectFieldStart("codex/sandbox-state");
        g.writeStringField("version", "1.0.0");
        g.writeEndObject();
        g.writeEndObject();
        g.writeObjectFieldStart("tools");
        g.writeEndObject();
        g.writeEndObject();
        g.writeObjectFieldStart("serverInfo");
        g.writeStringField("name", "exec-server");
        g.writeStringField("version", ServerVersion.text());
        g.writeEndObject();
        g.writeStringField(
                "instructions", "This server provides a tool to execute shell commands and return their output.");
        g.writeEndObject();
    }

    // ---- calls

    private record CallParams(String tool, JsonSlice arguments, Optional<JsonSlice> progressToken) {
        private static final JsonSlice NO_ARGUMENTS = JsonSlice.of("{}");

        static CallParams read(JsonSlice params) {
            ParamsReader in = ParamsReader.of(params, "CallToolRequestParams");
            String tool = null;
            JsonSlice arguments = NO_ARGUMENTS;
            Optional<JsonSlice> token = Optional.empty();
            while (in.next()) {
                switch (in.name()) {
                    case "name" -> tool = in.string();
                    case "arguments" -> arguments = in.sliceOrNull().orElse(NO_ARGUMENTS);
                    case "_meta" ->
                        token = in.structOrNull("RequestMeta", CallParams::token)
                                .flatMap(found -> found);
                    default -> {}
                }
            }
            return new CallParams(in.required("name", tool), arguments, token);
        }

        private static Optional<JsonSlice> token(ParamsReader in) {
            Optional<JsonSlice> token = Optional.empty();
            while (in.next()) {
                if (in.name().equals("progressToken")) {
                    token = in.sliceOrNull();
                }
            }
            return token;
        }
    }

    private void startCall(Request request, Peer peer) {
        OpenCall call;
        CallParams params;
        try {
            params = CallParams.read(request.params());
            call = new OpenCall(peer, params.progressToken());
            open(request.id(), call);
        } catch (RpcException e) {
            peer.send(Messages.error(Optional.of(request.id()), e));
            peer.requestEnded();
            return;
        }
        Threads.virtual("mcp-call", () -> run(request.id(), params, call));
    }

    private void open(RequestId id, OpenCall call) {
        if (closed || calls.size() >= MAX_CALLS) {
            throw RpcException.internal(
                    closed ? "the server is shutting down" : MAX_CALLS + " calls are running already; try again later");
        }
        if (calls.putIfAbsent(id, call) != null) {
            throw RpcException.invalidRequest("a request with this id is running already");
        }
        if (closed) {
            call.cancel();
        }
    }

    private void run(RequestId id, CallParams params, OpenCall call) {
        try {
            MessageBuffer answer = outcome(id, params, call);
            calls.remove(id, call);
            // The specification wants no answer to a cancelled request.
            if ((!call.cancelled() || closed) && !call.peer().trySend(answer)) {
                call.peer().send(noRoom(id, answer.length()));
            }
        } finally {
            calls.remove(id, call);
            call.peer().requestEnded();
        }
    }

    private static MessageBuffer noRoom(RequestId id, int bytes) {
        return Messages.error(
                Optional.of(id),
                RpcException.internal("no room for an answer of " + bytes
                                + " bytes: clients do not take theirs; the command has ended")
                        .withData("reason", "answerMemory"));
    }

    private MessageBuffer outcome(RequestId id, CallParams params, OpenCall call) {
        try {
            return Messages.result(id, tools().call(params.tool(), params.arguments(), call));
        } catch (RpcException e) {
            return Messages.error(Optional.of(id), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return Messages.error(Optional.of(id), RpcException.internal("the call was interrupted"));
        } catch (RuntimeException | OutOfMemoryError | StackOverflowError | LinkageError e) {
            LOG.error("tool {} failed", params.tool(), e);
            return Messages.error(Optional.of(id), RpcException.internal("internal error: " + e));
        }
    }

    // ---- notifications

    private void notification(Notification notification) {
        switch (notification.method()) {
            case "notifications/cancelled" -> cancelled(notification.params());
            case "notifications/initialized", "notifications/roots/list_changed" ->
                opened.filter(client -> client.traits().roots())
                        .ifPresent(client -> client.tools().rootsChanged());
            default -> LOG.debug("notification {} is ignored", notification.method());
        }
    }

    private void cancelled(JsonSlice params) {
        try {
            ParamsReader in = ParamsReader.of(params, "CancelledNotificationParams");
            Optional<JsonSlice> id = Optional.empty();
            while (in.next()) {
                if (in.name().equals("requestId")) {
                    id = in.sliceOrNull();
                }
            }
            id.flatMap(RequestIds::read).map(calls::get).ifPresent(OpenCall::cancel);
        } catch (RpcException e) {
            LOG.warn("notifications/cancelled is ignored: {}", e.message());
        }
    }

    // ---- questions

    @Override
    public ClientTraits traits() {
        return opened.orElseThrow().traits();
    }

    @Override
    public CompletableFuture<JsonSlice> ask(String method, JsonWritable params) {
        return ask(general, method, params);
    }

    @Override
    public CompletableFuture<JsonSlice> ask(Peer peer, String method, JsonWritable params) {
        return requests.send(peer, method, params);
    }

    /** Ends everything that the client has started, because the client has gone. Returns when it has ended. */
    @Override
    public void close() {
        closed = true;
        requests.close();
        calls.values().forEach(OpenCall::cancel);
        opened.map(Opened::tools).ifPresent(Toolbox::close);
    }

    /** Returns true if no call is running. */
    boolean idle() {
        return calls.isEmpty();
    }
}
