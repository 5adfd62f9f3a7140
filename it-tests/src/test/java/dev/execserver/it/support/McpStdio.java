package dev.execserver.it.support;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.concurrent.TimeUnit.MILLISECONDS;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;

/**
 * An MCP client written for tests, which sees every message, and {@code exec-server mcp}. A daemon thread reads; questions of the server
 * are answered on threads of their own.
 */
public final class McpStdio implements AutoCloseable {
    /** Longer than that of others: the first answer waits for the start of the server. */
    private static final Duration LIMIT = Duration.ofSeconds(90);

    private final ServerProcess server;
    private final Map<Integer, CompletableFuture<JsonNode>> calls = new ConcurrentHashMap<>();
    private final BlockingQueue<JsonNode> notifications = new LinkedBlockingQueue<>();
    private final BlockingQueue<JsonNode> others = new LinkedBlockingQueue<>();
    private final BlockingQueue<JsonNode> questions = new LinkedBlockingQueue<>();
    private final AtomicInteger lastId = new AtomicInteger();
    private volatile Function<JsonNode, JsonNode> answers = _ -> null;

    private McpStdio(ServerProcess server) {
        this.server = server;
        Thread.ofPlatform().daemon().name("mcp-reader").start(this::collect);
    }

    /** Starts a server that has not heard of its client yet. */
    public static McpStdio start(Map<String, String> environment, String... options) {
        List<String> arguments = new ArrayList<>(List.of("mcp"));
        arguments.addAll(List.of(options));
        return new McpStdio(ServerProcess.withOpenStdout(arguments, environment));
    }

    /** Does the same through a program before the server's command line, such as env(1). */
    public static McpStdio startedBy(List<String> prefix, List<String> options) {
        List<String> arguments = new ArrayList<>(List.of("mcp"));
        arguments.addAll(options);
        return new McpStdio(ServerProcess.withOpenStdout(prefix, arguments));
    }

    private void collect() {
        try (BufferedReader reader = new BufferedReader(new InputStreamReader(server.fromServer(), UTF_8))) {
            reader.lines().map(Json::parse).forEach(this::take);
        } catch (IOException | UncheckedIOException e) {
            others.add(Json.object("broken", e.toString()));
        }
        calls.values().forEach(call -> call.completeExceptionally(new IOException("the server has ended")));
    }

    private void take(JsonNode message) {
        if (message.has("method") && message.has("id")) {
            questions.add(message);
            Thread.ofVirtual().start(() -> answer(message));
        } else if (message.has("method")) {
            notifications.add(message);
        } else if (message.get("id").isInt()
                && calls.containsKey(message.get("id").intValue())) {
            calls.remove(message.get("id").intValue()).complete(message);
        } else {
            others.add(message);
        }
    }

    private void answer(JsonNode question) {
        JsonNode result = answers.apply(question);
        if (result != null) {
            send(Json.object("jsonrpc", "2.0", "id", question.get("id"), "result", result)
                    .toString());
        }
    }

    /** Sets what answers the questions of the server; null leaves one open. */
    public void answering(Function<JsonNode, JsonNode> how) {
        answers = how;
    }

    public ServerProcess server() {
        return server;
    }

    public void send(String line) {
        synchronized (calls) {
            try {
                server.toServer().write((line + "\n").getBytes(UTF_8));
                server.toServer().flush();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }

    /** Sends {@code initialize} with these capabilities, and the notification after it. */
    public JsonNode initialize(String version, JsonNode capabilities) {
        JsonNode answer = request(
                "initialize",
                Json.object(
                        "protocolVersion", version,
                        "capabilities", capabilities,
                        "clientInfo", Json.object("name", "it-tests", "version", "0")));
        notify("notifications/initialized", Json.object());
        return answer;
    }

    public McpStdio initialized() {
        JsonNode answer = initialize("2025-06-18", Json.object());
        if (!answer.has("result")) {
            throw new AssertionError(answer.toString());
        }
        return this;
    }

    public void notify(String method, JsonNode params) {
        send(Json.object("jsonrpc", "2.0", "method", method, "params", params).toString());
    }

    /** Sends a request and returns its number, by which it can be cancelled, and the answer to come. */
    public Sent sent(String method, JsonNode params) {
        int id = lastId.incrementAndGet();
        CompletableFuture<JsonNode> answer = new CompletableFuture<>();
        calls.put(id, answer);
        send(Json.object("jsonrpc", "2.0", "id", id, "method", method, "params", params)
                .toString());
        return new Sent(id, answer);
    }

    /** A request that was sent. */
    public record Sent(int id, CompletableFuture<JsonNode> answer) {}

    /** Returns the whole answer. */
    public JsonNode request(String method, JsonNode params) {
        return await(sent(method, params).answer());
    }

    public Sent startTool(String name, JsonNode arguments) {
        return sent("tools/call", Json.object("name", name, "arguments", arguments));
    }

    /** Calls a tool and returns its structured content. */
    public JsonNode tool(String name, JsonNode arguments) {
        return content(await(startTool(name, arguments).answer()));
    }

    public static JsonNode content(JsonNode answer) {
        if (!answer.has("result")) {
            throw new AssertionError("no result: " + answer);
        }
        return answer.get("result").get("structuredContent");
    }

    /** Runs a command with the tool {@code shell}. */
    public JsonNode shell(String command, String workdir) {
        return tool("shell", shellArguments(command, workdir));
    }

    /** Returns arguments for a command that may take a minute. */
    public static ObjectNode shellArguments(String command, String workdir) {
        return Json.object("command", command, "workdir", workdir, "timeout_ms", 60_000, "login", false);
    }

    public JsonNode await(CompletableFuture<JsonNode> answer) {
        try {
            return answer.get(LIMIT.toMillis(), MILLISECONDS);
        } catch (InterruptedException e) {
            throw ServerProcess.interrupted(e);
        } catch (ExecutionException | TimeoutException e) {
            throw new AssertionError("no answer; stderr: " + server.stderr(), e);
        }
    }

    /** Returns the next message that answers no request of this client. */
    public JsonNode nextOther() {
        return next(others);
    }

    public JsonNode nextNotification() {
        return next(notifications);
    }

    public JsonNode nextQuestion() {
        return next(questions);
    }

    public int waitingQuestions() {
        return questions.size();
    }

    private JsonNode next(BlockingQueue<JsonNode> queue) {
        try {
            JsonNode message = queue.poll(LIMIT.toMillis(), MILLISECONDS);
            if (message == null) {
                throw new AssertionError("no further message; stderr: " + server.stderr());
            }
            return message;
        } catch (InterruptedException e) {
            throw ServerProcess.interrupted(e);
        }
    }

    /** Closes the server's stdin and returns its exit status. */
    public int finish() {
        try {
            server.toServer().close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return server.exitStatus();
    }

    @Override
    public void close() {
        server.close();
    }
}
