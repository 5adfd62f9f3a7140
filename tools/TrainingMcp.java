import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;

/**
 * Uses a server as an MCP client in a training run: the handshake, the list of tools, and enough calls of the shell that the
 * profiles in the AOT cache speed up the first ones of a new server. It goes over HTTP, because the server of the run listens; all
 * that is behind the transport is the same for {@code exec-server mcp}.
 */
final class TrainingMcp {
    private static final int CALLS = 40;
    private static final Duration LIMIT = Duration.ofSeconds(30);

    private final HttpClient http;
    private final URI url;
    private String session = "";
    private int lastId;

    private TrainingMcp(HttpClient http, URI url) {
        this.http = http;
        this.url = url;
    }

    /** A machine that cannot build sandboxes answers the calls with errors, which is none here. */
    static void work(URI server) throws Exception {
        try (HttpClient http =
                HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build()) {
            TrainingMcp client = new TrainingMcp(http, URI.create("http://" + server.getAuthority() + "/mcp"));
            client.session = client.call("initialize", """
                    {"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"training-run","version":"0"}}""")
                    .headers()
                    .firstValue("Mcp-Session-Id")
                    .orElseThrow();
            client.send("{\"jsonrpc\":\"2.0\",\"method\":\"notifications/initialized\"}");
            client.call("tools/list", "{}");
            client.call(
                    "codex/sandbox-state/update", "{\"sandboxPolicy\":{\"type\":\"read-only\"},\"sandboxCwd\":\"/\"}");
            for (int i = 0; i < CALLS; i++) {
                client.call("tools/call", """
                        {"name":"shell","arguments":{"command":"echo heard","workdir":"/","login":false}}""");
            }
        }
    }

    private HttpResponse<String> call(String method, String params) throws Exception {
        return send("{\"jsonrpc\":\"2.0\",\"id\":%d,\"method\":\"%s\",\"params\":%s}"
                .formatted(++lastId, method, params.strip()));
    }

    private HttpResponse<String> send(String message) throws Exception {
        HttpRequest.Builder request = HttpRequest.newBuilder(url)
                .timeout(LIMIT)
                .header("Content-Type", "application/json")
                .header("Accept", "application/json, text/event-stream")
                .POST(BodyPublishers.ofString(message));
        if (!session.isEmpty()) {
            request.header("Mcp-Session-Id", session);
        }
        HttpResponse<String> answer = http.send(request.build(), BodyHandlers.ofString());
        if (answer.statusCode() / 100 != 2) {
            throw new TrainingRun.Failed("the MCP server refused: " + answer.statusCode() + " " + answer.body());
        }
        return answer;
    }
}
