import java.io.BufferedReader;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;

/**
 * Uses {@code exec-server mcp} in a training run, over its standard input and output: the handshake, the list of tools, and enough
 * calls of the shell that the profiles in the AOT cache speed up the first ones of a new server.
 */
final class TrainingMcp {
    private static final int CALLS = 40;

    private final OutputStream in;
    private final BufferedReader out;
    private int lastId;

    private TrainingMcp(OutputStream in, BufferedReader out) {
        this.in = in;
        this.out = out;
    }

    /** Speaks to the end of the input. A machine that cannot build sandboxes answers with errors, which is none here. */
    static void speak(OutputStream in, BufferedReader out) throws IOException, TrainingRun.Failed {
        TrainingMcp client = new TrainingMcp(in, out);
        client.call("initialize", """
                {"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"training-run","version":"0"}}""");
        client.send("{\"jsonrpc\":\"2.0\",\"method\":\"notifications/initialized\"}");
        client.call("tools/list", "{}");
        client.call("codex/sandbox-state/update", "{\"sandboxPolicy\":{\"type\":\"read-only\"},\"sandboxCwd\":\"/\"}");
        for (int i = 0; i < CALLS; i++) {
            client.call("tools/call", """
                    {"name":"shell","arguments":{"command":"echo heard","workdir":"/","login":false}}""");
        }
        in.close();
    }

    private void call(String method, String params) throws IOException, TrainingRun.Failed {
        String id = "\"id\":" + ++lastId;
        send("{\"jsonrpc\":\"2.0\",%s,\"method\":\"%s\",\"params\":%s}".formatted(id, method, params.strip()));
        String line;
        do {
            line = out.readLine();
            if (line == null) {
                throw new TrainingRun.Failed("the MCP server ended before it answered " + method);
            }
        } while (!line.contains(id));
    }

    private void send(String message) throws IOException {
        in.write((message + "\n").getBytes(StandardCharsets.UTF_8));
        in.flush();
    }
}
