package dev.execserver.it;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.execserver.it.support.Json;
import dev.execserver.it.support.RawWebSocket;
import dev.execserver.it.support.ServerProcess;
import dev.execserver.it.support.WireClient;
import java.io.IOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What peers write into their messages reaches the log without what a terminal obeys or what looks like another line. */
@Timeout(120)
class LogTextIT {
    private static final String EVIL =
            "evil\n2026-11-29T00:00:00.000Z [main] WARN Forged - \u001b]0;PWN\u0007\u001b[2J\u009b5m\r\u202e\u2028name";

    /** Members of the params of all methods; those that a method does not know are ignored. */
    private static final List<String> MEMBERS = List.of(
            "processId",
            "path",
            "cwd",
            "arg0",
            "handleId",
            "requestId",
            "watchId",
            "url",
            "method",
            "signal",
            "mode",
            "pattern",
            "sourcePath",
            "destinationPath",
            "sessionId",
            "resumeSessionId",
            "clientName",
            "writeId");

    private static final List<String> METHODS = List.of(
            "process/start",
            "process/read",
            "process/signal",
            "process/terminate",
            "process/write",
            "process/resize",
            "fs/readFile",
            "fs/writeFile",
            "fs/getMetadata",
            "fs/copy",
            "fs/rename",
            "fs/search",
            "fs/open",
            "fs/close",
            "fs/watch",
            "fs/watchMissing",
            "http/request",
            "http/request/cancel",
            "environmentConfig/read",
            "unknown/" + EVIL);

    private static ObjectNode params() {
        var params = Json.object("argv", List.of("sh", "-c", "exit 1", EVIL), "env", Json.object("A", EVIL));
        MEMBERS.forEach(name -> params.put(name, EVIL));
        return params;
    }

    @Test
    void c108_theLogHasNoRawControlCharacters() throws IOException {
        try (ServerProcess server = ServerProcess.listening("--log-level", "debug")) {
            try (WireClient client = WireClient.connect(server.port())) {
                client.send("initialize", Json.object("clientName", EVIL)).result();
                client.notify("initialized", Json.object());
                for (String method : METHODS) {
                    var params = params();
                    client.send(method, params).answer();
                    params.put("path", "file:///tmp/" + "evil%0a%1b%5b2J");
                    params.put("cwd", "file:///");
                    params.put("url", "http://127.0.0.1:1/%0a");
                    client.send(method, params).answer();
                    params.set("sandbox", Json.object("permissions", Json.object("type", EVIL)));
                    client.send(method, params).answer();
                }
                client.notify(EVIL, Json.object(EVIL, EVIL));
                client.sendText("{\"id\":\"" + "\\u001b[2J\\n" + "\",\"method\":\"process/list\",\"params\":{}}");
                client.sendText("{\"id\":\"" + "\\u001b[2J\\n" + "\",\"result\":{}}");
                client.sendText("nonsense " + EVIL);
                client.roundTrip();
                client.frame(true, RawWebSocket.CLOSE, ("\u0003\u00e8" + EVIL).getBytes(StandardCharsets.ISO_8859_1));
            }
            for (String request : List.of(
                    "GET /" + EVIL + " HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n",
                    "GET /\u001b[2J HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n",
                    "GET /readyz HTTP/1.1\r\nHost: \u001b[2J\r\n\r\n",
                    "GET /readyz HTTP/1.1\r\nHost: 127.0.0.1\r\nX\u001b: \u001b[2J\u009b\r\n\r\n",
                    "\u001b[2J / HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n",
                    "GET /files?path=%0a\u001b[2J HTTP/1.1\r\nHost: \u009b\r\nAuthorization: \u001b\r\n\r\n")) {
                try (Socket socket = new Socket("127.0.0.1", server.port())) {
                    socket.getOutputStream().write(request.getBytes(StandardCharsets.ISO_8859_1));
                    socket.shutdownOutput();
                    byte[] _ = socket.getInputStream().readAllBytes();
                }
            }
            server.awaitStderr("evil\\n2026-11-29T00:00:00.000Z");
            assertThat(server.stop()).isZero();
            assertThat(server.stderr().lines())
                    .hasSizeGreaterThan(10)
                    .allMatch(line -> line.codePoints().allMatch(LogTextIT::harmless))
                    .noneMatch(line -> line.startsWith("2026-11-29T00:00:00.000Z"));
        }
    }

    private static boolean harmless(int point) {
        int type = Character.getType(point);
        return point == '\t'
                || (type != Character.CONTROL
                        && type != Character.FORMAT
                        && type != Character.LINE_SEPARATOR
                        && type != Character.PARAGRAPH_SEPARATOR);
    }
}
