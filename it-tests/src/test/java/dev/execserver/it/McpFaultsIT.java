package dev.execserver.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.ObjectMapper;
import dev.execserver.client.ClientOptions;
import dev.execserver.client.ExecServerClient;
import dev.execserver.client.mcp.RemoteStdioTransport;
import dev.execserver.client.process.ProcessSpec;
import dev.execserver.it.mcp.WaitingMcpServer;
import dev.execserver.it.support.ProcFs;
import dev.execserver.it.support.SharedServer;
import io.modelcontextprotocol.client.McpClient;
import io.modelcontextprotocol.client.McpSyncClient;
import io.modelcontextprotocol.json.McpJsonMapper;
import io.modelcontextprotocol.json.jackson2.JacksonMcpJsonMapper;
import io.modelcontextprotocol.spec.McpSchema.CallToolRequest;
import io.modelcontextprotocol.spec.McpSchema.CallToolResult;
import io.modelcontextprotocol.spec.McpSchema.JSONRPCMessage;
import io.modelcontextprotocol.spec.McpSchema.JSONRPCNotification;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** MCP servers that write what they should not, do not read, die or are left in the middle. */
@Timeout(180)
class McpFaultsIT {
    @RegisterExtension
    static final SharedServer SERVER = SharedServer.with();

    private static final Duration LIMIT = Duration.ofSeconds(60);
    /** Longer than a test may take. */
    private static final Duration LONG = Duration.ofMinutes(10);

    private static final Duration SHORT = Duration.ofMillis(300);
    private static final String MESSAGE = "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/x\"}";

    private final McpJsonMapper json = new JacksonMcpJsonMapper(new ObjectMapper());
    private final Queue<JSONRPCMessage> messages = new ConcurrentLinkedQueue<>();
    private final Queue<Throwable> failures = new ConcurrentLinkedQueue<>();
    private final String mark = UUID.randomUUID().toString();

    @TempDir
    private Path directory;

    private ExecServerClient client;

    @BeforeEach
    void connect() throws InterruptedException {
        client = ExecServerClient.connect(
                ClientOptions.url("ws://127.0.0.1:" + SERVER.port()).build());
    }

    @AfterEach
    void close() throws InterruptedException {
        client.end();
    }

    private RemoteStdioTransport server(String... argv) {
        ProcessSpec spec = ProcessSpec.of(List.of(argv)).env(Map.of("MARK", mark));
        return new RemoteStdioTransport(client, spec, json).grace(SHORT);
    }

    private RemoteStdioTransport script(String script) {
        RemoteStdioTransport transport = server("sh", "-c", script);
        transport.setExceptionHandler(failures::add);
        return transport;
    }

    private void connect(RemoteStdioTransport transport) {
        transport.connect(incoming -> incoming.doOnNext(messages::add)).block(LIMIT);
    }

    private void assertGone(RemoteStdioTransport transport) {
        transport.closeGracefully().block(LIMIT);
        await().atMost(LIMIT).until(() -> ProcFs.marked(mark).isEmpty());
    }

    @Test
    void aMessageMayComeInPiecesOrBeVeryLong() {
        RemoteStdioTransport transport =
                script("printf '{\"jsonrpc\":\"2.0\",'; sleep 0.2; printf '\"method\":\"n\"}\\r\\n\\n';"
                        + " printf '{\"jsonrpc\":\"2.0\",\"method\":\"long\",\"params\":{\"x\":\"'; head -c 10485760 /dev/zero | tr '\\0' x;"
                        + " echo '\"}}'; cat >/dev/null");
        connect(transport);

        await().atMost(LIMIT).until(() -> messages.size() == 2);
        assertThat(messages)
                .extracting(message -> ((JSONRPCNotification) message).method())
                .containsExactly("n", "long");
        assertThat(failures).isEmpty();
        assertGone(transport);
    }

    @Test
    void garbageIsToldAndWhatComesBehindItIsTaken() {
        RemoteStdioTransport transport =
                script("printf '\\000\\377\\n[]\\n{\\n\"x\"\\n{\"jsonrpc\":\"1.0\"}\\n'; echo '" + MESSAGE
                        + "'; printf '{\"half'");
        connect(transport);

        await().atMost(LIMIT).until(() -> failures.size() == 7);
        assertThat(messages).hasSize(1);
        assertThat(failures)
                .extracting(Throwable::getMessage)
                .last()
                .isEqualTo("the MCP server has ended with exit code 0");
        assertThat(failures)
                .extracting(Throwable::getMessage)
                .filteredOn(text -> text.startsWith("the MCP server has written a line that is no message: "))
                .hasSize(6);
        assertGone(transport);
    }

    @Test
    void aFloodOnStderrKeepsNothingUpWhateverIsWrongWithIt() {
        RemoteStdioTransport lines = script("yes e | head -c 30000000 >&2; echo '" + MESSAGE + "'; cat >/dev/null")
                .onStderr(line -> {
                    throw new IllegalStateException("expected by a test");
                });
        RemoteStdioTransport oneLine =
                script("head -c 50000000 /dev/zero | tr '\\0' e >&2; echo '" + MESSAGE + "'; cat >/dev/null");
        connect(lines);
        await().atMost(LIMIT).until(() -> messages.size() == 1);
        connect(oneLine);
        await().atMost(LIMIT).until(() -> messages.size() == 2);
        assertThat(failures).isEmpty();
        lines.closeGracefully().block(LIMIT);
        assertGone(oneLine);
    }

    @Test
    void aServerThatDoesNotReadDoesNotHoldUpTheEnd() {
        RemoteStdioTransport transport = script("sleep 1000");
        connect(transport);
        JSONRPCNotification large = new JSONRPCNotification("n", Map.of("x", "x".repeat(8 << 20)));
        for (int i = 0; i < 8; i++) {
            CompletableFuture<Void> unused = transport.sendMessage(large).toFuture();
        }

        assertGone(transport);
        assertThat(failures).isEmpty();
    }

    @Test
    void itIsClosedOnceHoweverOftenAndTakesNothingThen() {
        RemoteStdioTransport unused = script("true");
        unused.closeGracefully().block(LIMIT);
        assertThatThrownBy(() -> connect(unused)).hasMessage("this transport is closed");

        RemoteStdioTransport transport = script("cat >/dev/null");
        connect(transport);
        CompletableFuture<Void> first = transport.closeGracefully().toFuture();
        assertGone(transport);
        assertThat(first).succeedsWithin(LIMIT);
        assertGone(transport);
        assertThatThrownBy(() -> transport
                        .sendMessage(new JSONRPCNotification("n", Map.of()))
                        .block(LIMIT))
                .hasMessage("this transport is closed");
        assertThat(failures).isEmpty();
    }

    @Test
    void aServerThatDiesInTheMiddleOfACallIsToldAndTheCallAndTheNextFailAtOnce() throws Exception {
        RemoteStdioTransport transport = real();
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
                McpSyncClient mcp = mcp(transport, LONG)) {
            mcp.initialize();
            CompletableFuture<CallToolResult> call = call(mcp, directory, threads);
            for (long pid : ProcFs.marked(mark)) {
                assertThat(ProcessHandle.of(pid).orElseThrow().destroyForcibly())
                        .isTrue();
            }

            await().atMost(LIMIT)
                    .untilAsserted(() -> assertThat(failures)
                            .extracting(Throwable::getMessage)
                            .contains("the MCP server has ended with exit code 137"));
            assertThat(call)
                    .failsWithin(LIMIT)
                    .withThrowableThat()
                    .withMessageContaining("the MCP server has ended with exit code 137");
            assertThatThrownBy(mcp::listTools).hasStackTraceContaining("the MCP server has ended with exit code 137");
        }
    }

    @Test
    void twoCallsAtATimeAreBothAnsweredAndOneThatIsUnderWayAtTheEndFails() throws Exception {
        RemoteStdioTransport transport = real();
        Path other = Files.createDirectory(directory.resolve("other"));
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
                McpSyncClient mcp = mcp(transport, LIMIT)) {
            mcp.initialize();
            CompletableFuture<CallToolResult> first = call(mcp, directory, threads);
            CompletableFuture<CallToolResult> second = call(mcp, other, threads);
            Files.createFile(other.resolve("go"));
            assertThat(second).succeedsWithin(LIMIT);
            assertThat(first).isNotDone();

            assertThat(mcp.closeGracefully()).isTrue();

            assertThat(first).failsWithin(LIMIT);
        }
        await().atMost(LIMIT).until(() -> ProcFs.marked(mark).isEmpty());
        assertThat(failures).isEmpty();
    }

    private RemoteStdioTransport real() {
        return server(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-cp",
                System.getProperty("java.class.path"),
                WaitingMcpServer.class.getName());
    }

    private McpSyncClient mcp(RemoteStdioTransport transport, Duration requests) {
        McpSyncClient mcp = McpClient.sync(transport)
                .requestTimeout(requests)
                .initializationTimeout(LIMIT)
                .build();
        transport.setExceptionHandler(failures::add);
        return mcp;
    }

    /** A call that has reached the server. */
    private static CompletableFuture<CallToolResult> call(McpSyncClient mcp, Path place, ExecutorService threads) {
        CompletableFuture<CallToolResult> call = CompletableFuture.supplyAsync(
                () -> mcp.callTool(new CallToolRequest("wait", Map.of("directory", place.toString()))), threads);
        await().atMost(LIMIT).until(() -> Files.exists(place.resolve("calls")));
        return call;
    }
}
