package dev.execserver.it;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import dev.execserver.it.support.Json;
import dev.execserver.it.support.ServerCommand;
import dev.execserver.it.support.ServerProcess;
import dev.execserver.it.support.VarTmp;
import io.modelcontextprotocol.client.McpClient;
import io.modelcontextprotocol.client.McpSyncClient;
import io.modelcontextprotocol.client.transport.HttpClientStreamableHttpTransport;
import io.modelcontextprotocol.client.transport.ServerParameters;
import io.modelcontextprotocol.client.transport.StdioClientTransport;
import io.modelcontextprotocol.json.McpJsonMapper;
import io.modelcontextprotocol.json.jackson2.JacksonMcpJsonMapper;
import io.modelcontextprotocol.spec.McpClientTransport;
import io.modelcontextprotocol.spec.McpSchema.CallToolRequest;
import io.modelcontextprotocol.spec.McpSchema.ClientCapabilities;
import io.modelcontextprotocol.spec.McpSchema.ElicitRequest;
import io.modelcontextprotocol.spec.McpSchema.ElicitResult;
import io.modelcontextprotocol.spec.McpSchema.Tool;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The client of the official Java SDK against our MCP server. */
@Timeout(180)
class ShellMcpClientsIT {
    private static final Duration LIMIT = Duration.ofSeconds(90);

    @TempDir(factory = VarTmp.class)
    private Path home;

    private final McpJsonMapper json = new JacksonMcpJsonMapper(new ObjectMapper());
    private final Queue<String> questions = new ConcurrentLinkedQueue<>();

    @Test
    void itsClientRunsCommandsOverStdio() throws Exception {
        List<String> command = ServerCommand.of(List.of("mcp", "--rules", rules().toString()));
        ServerParameters program = ServerParameters.builder(command.getFirst())
                .args(command.subList(1, command.size()))
                .env(Map.of("HOME", home.toString(), "PATH", System.getenv("PATH")))
                .build();
        converse(new StdioClientTransport(program, json));
    }

    @Test
    void itsClientRunsCommandsOverHttp() throws Exception {
        try (ServerProcess server =
                ServerProcess.listening(List.of(), Map.of(), "--mcp", "on", "--mcp-rules", rules().toString())) {
            converse(HttpClientStreamableHttpTransport.builder("http://127.0.0.1:" + server.port())
                    .endpoint("/mcp")
                    .jsonMapper(json)
                    .build());
        }
    }

    private Path rules() throws Exception {
        Path rules = home.resolve("my.rules");
        Files.writeString(rules, "prefix_rule([\"touch\"], decision=\"prompt\")\n");
        return rules;
    }

    private void converse(McpClientTransport transport) {
        try (McpSyncClient mcp = McpClient.sync(transport)
                .initializationTimeout(LIMIT)
                .requestTimeout(LIMIT)
                .capabilities(ClientCapabilities.builder().elicitation().build())
                .elicitation(this::accept)
                .build()) {
            assertThat(mcp.initialize().serverInfo().name()).isEqualTo("exec-server");
            assertThat(mcp.listTools().tools())
                    .extracting(Tool::name)
                    .containsExactly("shell", "shell_output", "shell_input", "shell_list", "shell_kill");

            var result = mcp.callTool(new CallToolRequest(
                    "shell",
                    Map.of("command", "touch made && echo $PWD", "workdir", home.toString(), "timeout_ms", 60_000)));
            assertThat(result.isError()).isFalse();
            assertThat(Json.value(result.structuredContent()).get("stdout").textValue())
                    .isEqualTo(home + "\n");
            assertThat(home.resolve("made")).exists();
            assertThat(questions).containsExactly("Allow agent to run `/usr/bin/touch made` in `" + home + "`?");
        }
    }

    private ElicitResult accept(ElicitRequest request) {
        questions.add(request.message());
        return new ElicitResult(ElicitResult.Action.ACCEPT, Map.of());
    }
}
