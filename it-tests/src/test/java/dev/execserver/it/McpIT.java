package dev.execserver.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.ObjectMapper;
import dev.execserver.client.ClientOptions;
import dev.execserver.client.ExecServerClient;
import dev.execserver.client.mcp.RemoteStdioTransport;
import dev.execserver.client.process.ProcessSpec;
import dev.execserver.it.mcp.WaitingMcpServer;
import dev.execserver.it.support.ProcFs;
import dev.execserver.it.support.SharedServer;
import dev.execserver.it.support.UnreliableLink;
import io.modelcontextprotocol.client.McpClient;
import io.modelcontextprotocol.client.McpSyncClient;
import io.modelcontextprotocol.json.McpJsonMapper;
import io.modelcontextprotocol.json.jackson2.JacksonMcpJsonMapper;
import io.modelcontextprotocol.spec.McpSchema.CallToolRequest;
import io.modelcontextprotocol.spec.McpSchema.CallToolResult;
import io.modelcontextprotocol.spec.McpSchema.TextContent;
import io.modelcontextprotocol.spec.McpSchema.Tool;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** A client of the official MCP SDK here, an MCP server of that SDK as a process of the packaged server. */
@Timeout(180)
class McpIT {
    @RegisterExtension
    static final SharedServer SERVER = SharedServer.with();

    private static final Duration LIMIT = Duration.ofSeconds(60);

    private final McpJsonMapper json = new JacksonMcpJsonMapper(new ObjectMapper());
    private final Queue<String> stderr = new ConcurrentLinkedQueue<>();
    private final Queue<Throwable> failures = new ConcurrentLinkedQueue<>();
    private final String mark = UUID.randomUUID().toString();

    @TempDir
    private Path directory;

    private UnreliableLink link;
    private ExecServerClient client;

    @BeforeEach
    void connect() throws InterruptedException {
        link = UnreliableLink.to(SERVER.port());
        client = ExecServerClient.connect(
                ClientOptions.url("ws://127.0.0.1:" + link.port()).build());
    }

    @AfterEach
    void close() throws InterruptedException {
        client.end();
        link.close();
    }

    @Test
    @DisplayName("B22: tools/list and tools/call survive a cut of the connection in the middle")
    void callsSurviveACut() throws Exception {
        try (var threads = Executors.newVirtualThreadPerTaskExecutor();
                McpSyncClient mcp = mcp(transport())) {
            assertThat(mcp.initialize().serverInfo().name()).isEqualTo("waiting");
            cut();
            assertThat(mcp.listTools().tools()).extracting(Tool::name).containsExactly("wait");

            CompletableFuture<CallToolResult> call = CompletableFuture.supplyAsync(() -> call(mcp), threads);
            await().atMost(LIMIT).until(() -> Files.exists(directory.resolve("calls")));
            cut();
            cut();
            assertThat(call).isNotDone();
            Files.createFile(directory.resolve("go"));

            assertThat(call.get().content()).singleElement().isEqualTo(text("calls: 1"));
            assertThat(mcp.listTools().tools()).hasSize(1);
        }
        assertThat(stderr).contains("ready, waiting");
        assertThat(failures).isEmpty();
        await().atMost(LIMIT).until(() -> ProcFs.marked(mark).isEmpty());
    }

    @Test
    void manyCallsUnderFireAreEachMadeOnce() throws Exception {
        Files.createFile(directory.resolve("go"));
        try (McpSyncClient mcp = mcp(transport())) {
            mcp.initialize();
            for (int i = 1; i <= 30; i++) {
                if (i % 3 == 0) {
                    cut();
                }
                assertThat(call(mcp).content()).singleElement().isEqualTo(text("calls: " + i));
            }
        }
    }

    @Test
    void aServerThatDoesNotWantToEndIsKilled() throws Exception {
        try (McpSyncClient mcp = mcp(transport("stubborn").grace(Duration.ofMillis(300)))) {
            mcp.initialize();
            assertThat(ProcFs.marked(mark)).isNotEmpty();
        }
        await().atMost(LIMIT).until(() -> ProcFs.marked(mark).isEmpty());
        assertThat(failures).isEmpty();
    }

    @Test
    void aServerThatEndsByItselfIsAFailure() throws Exception {
        RemoteStdioTransport transport = new RemoteStdioTransport(
                        client, ProcessSpec.of("sh", "-c", "echo no message; exit 3"), json)
                .onStderr(stderr::add);
        transport.setExceptionHandler(failures::add);
        transport.connect(incoming -> incoming).block(LIMIT);

        await().atMost(LIMIT)
                .untilAsserted(() -> assertThat(failures)
                        .extracting(Throwable::getMessage)
                        .anyMatch(text -> text.startsWith("the MCP server has written a line that is no message"))
                        .contains("the MCP server has ended with exit code 3"));
        transport.closeGracefully().block(LIMIT);
    }

    private CallToolResult call(McpSyncClient mcp) {
        return mcp.callTool(new CallToolRequest("wait", Map.of("directory", directory.toString())));
    }

    private static TextContent text(String text) {
        return TextContent.builder(text).build();
    }

    private void cut() {
        int before = link.troubles();
        await().atMost(LIMIT).until(() -> link.trouble(UnreliableLink.Trouble.CUT, new Random(1)));
        assertThat(link.troubles()).isGreaterThan(before);
    }

    private McpSyncClient mcp(RemoteStdioTransport transport) {
        McpSyncClient mcp = McpClient.sync(transport)
                .requestTimeout(LIMIT)
                .initializationTimeout(LIMIT)
                .build();
        transport.setExceptionHandler(failures::add);
        return mcp;
    }

    private RemoteStdioTransport transport(String... arguments) throws IOException {
        List<String> argv = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-cp",
                System.getProperty("java.class.path"),
                WaitingMcpServer.class.getName()));
        argv.addAll(List.of(arguments));
        ProcessSpec spec = ProcessSpec.of(argv).env(Map.of("MARK", mark));
        return new RemoteStdioTransport(client, spec, json).onStderr(stderr::add);
    }
}
