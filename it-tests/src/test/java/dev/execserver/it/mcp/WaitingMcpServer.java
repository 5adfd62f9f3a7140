package dev.execserver.it.mcp;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.modelcontextprotocol.json.McpJsonMapper;
import io.modelcontextprotocol.json.jackson2.JacksonMcpJsonMapper;
import io.modelcontextprotocol.server.McpServer;
import io.modelcontextprotocol.server.McpSyncServer;
import io.modelcontextprotocol.server.transport.StdioServerTransportProvider;
import io.modelcontextprotocol.spec.McpSchema.CallToolRequest;
import io.modelcontextprotocol.spec.McpSchema.CallToolResult;
import io.modelcontextprotocol.spec.McpSchema.ServerCapabilities;
import io.modelcontextprotocol.spec.McpSchema.Tool;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;

/**
 * An MCP server with the official SDK. Its tool {@code wait} appends a line to the file {@code calls} of a directory, waits for
 * the file {@code go} there, and says how often it was called. {@code stubborn} as an argument: it ignores the end of its input
 * and SIGTERM.
 */
public final class WaitingMcpServer {
    private static final long POLL_NANOS = 20_000_000L;

    private WaitingMcpServer() {}

    public static void main(String[] args) throws IOException {
        McpJsonMapper json = new JacksonMcpJsonMapper(new ObjectMapper());
        Tool tool =
                Tool.builder("wait", json, """
                        {"type":"object","properties":{"directory":{"type":"string"}},"required":["directory"]}""").description("Waits for a file.").build();
        McpSyncServer server = McpServer.sync(new StdioServerTransportProvider(json))
                .serverInfo("waiting", "1")
                .capabilities(ServerCapabilities.builder().tools(true).build())
                .toolCall(tool, (exchange, request) -> call(request))
                .build();
        System.err.println("ready, " + server.getServerInfo().name());
        if (args.length > 0 && args[0].equals("stubborn")) {
            Runtime.getRuntime().addShutdownHook(Thread.ofPlatform().unstarted(LockSupport::park));
            while (true) {
                LockSupport.park();
            }
        }
    }

    private static CallToolResult call(CallToolRequest request) {
        Path directory = Path.of((String) request.arguments().get("directory"));
        try {
            Files.writeString(
                    directory.resolve("calls"), "call\n", StandardOpenOption.CREATE, StandardOpenOption.APPEND);
            while (!Files.exists(directory.resolve("go"))) {
                LockSupport.parkNanos(POLL_NANOS);
            }
            return CallToolResult.builder()
                    .addTextContent("calls: "
                            + Files.readAllLines(directory.resolve("calls")).size())
                    .structuredContent(Map.of("done", true))
                    .build();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
