import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.WebSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/**
 * Uses a server in a training run: each ordinary call, on pipes and on a terminal, often enough that the profiles in the AOT
 * cache speed up the first calls of a new server. It needs no JSON library, because it only searches for the answer with its
 * id.
 */
final class TrainingClient implements AutoCloseable {
    private static final int ROUNDS = 40;
    private static final int BULK_BYTES = 64 << 20;
    private static final long ANSWER_SECONDS = 30;
    private static final List<String> PROTECTED = List.of(".git", ".agents", ".codex", ".aws");

    private final HttpClient http = HttpClient.newHttpClient();
    private final BlockingQueue<String> messages = new LinkedBlockingQueue<>();
    private final WebSocket socket;
    private final List<String> passedOver = new ArrayList<>();
    private int lastId;

    private TrainingClient(URI server) {
        socket = http.newWebSocketBuilder().buildAsync(server, new Collector()).join();
    }

    static void greet(URI server) throws Exception {
        try (TrainingClient client = new TrainingClient(server)) {
            client.handshake();
        }
    }

    static void work(URI server) throws Exception {
        String session = "";
        try (TrainingClient client = new TrainingClient(server)) {
            session = client.handshake();
            client.call("environment/info", "{}");
            Path directory = Files.createTempDirectory("exec-server-training");
            // A sandbox would have to make the missing ones, and removes them only some time later.
            for (String name : PROTECTED) {
                Files.createDirectory(directory.resolve(name));
            }
            for (int round = 0; round < ROUNDS; round++) {
                client.cat("pipe-" + round, false);
                client.cat("tty-" + round, true);
                client.shortCommand("short-" + round);
                client.call("environment/status", "{}");
                client.call("fs/getMetadata", "{\"path\":\"file:///tmp\",\"sandbox\":null}");
                client.files("file://" + directory);
                client.sandboxedFiles("file://" + directory);
                client.sandboxedCommand("sandboxed-" + round, "file://" + directory);
            }
            client.bulk("bulk");
            client.start("kept", "[\"cat\"]", false);
            for (String name : PROTECTED) {
                Files.delete(directory.resolve(name));
            }
            Files.delete(directory);
        }
        try (TrainingClient client = new TrainingClient(server)) {
            client.resume(session);
            client.call("process/read", "{\"processId\":\"kept\",\"afterSeq\":0}");
            client.call("process/terminate", "{\"processId\":\"kept\"}");
            client.awaitClosed("kept");
        }
    }

    private void files(String directory) throws Exception {
        String file = directory + "/file";
        call("fs/writeFile", "{\"path\":\"%s\",\"dataBase64\":\"aGVsbG8K\"}".formatted(file));
        call("fs/readFile", "{\"path\":\"%s\"}".formatted(file));
        call("fs/readFile", "{\"path\":\"file:///proc/self/status\"}");
        call("fs/getMetadata", "{\"path\":\"%s\"}".formatted(file));
        call("fs/canonicalize", "{\"path\":\"%s\"}".formatted(file));
        call("fs/copy", """
                {"sourcePath":"%s","destinationPath":"%s-2","recursive":false}""".formatted(file, file));
        call("fs/readDirectory", "{\"path\":\"%s\"}".formatted(directory));
        call("fs/walk", """
                {"path":"%s","options":{"maxDepth":2,"maxDirectories":10,"maxEntries":100,"followDirectorySymlinks":false,"pruneHiddenDirectories":false}}""".formatted(directory));
        call("fs/open", "{\"handleId\":\"h\",\"path\":\"%s\"}".formatted(file));
        call("fs/readBlock", "{\"handleId\":\"h\",\"offset\":0,\"len\":1000}");
        call("fs/close", "{\"handleId\":\"h\"}");
        call("fs/remove", "{\"path\":\"%s\"}".formatted(file));
        call("fs/remove", "{\"path\":\"%s-2\"}".formatted(file));
    }

    /** Makes file calls in sandboxes. A machine that cannot build sandboxes refuses them, which is not an error here. */
    private void sandboxedFiles(String directory) throws Exception {
        String root = "{\"path\":{\"type\":\"special\",\"value\":{\"kind\":\"%s\"}},\"access\":\"%s\"}";
        String write = root.formatted("root", "read") + "," + root.formatted("project_roots", "write");
        String narrow = root.formatted("minimal", "read") + "," + root.formatted("project_roots", "read");
        String file = directory + "/file";
        sandboxed("fs/writeFile", "\"path\":\"%s\",\"dataBase64\":\"aGVsbG8K\"".formatted(file), write, directory);
        sandboxed("fs/readFile", "\"path\":\"%s\"".formatted(file), write, directory);
        sandboxed("fs/readFile", "\"path\":\"%s\"".formatted(file), narrow, directory);
        sandboxed("fs/getMetadata", "\"path\":\"%s\"".formatted(directory), narrow, directory);
        sandboxed("fs/remove", "\"path\":\"%s\"".formatted(file), write, directory);
    }

    private void sandboxedCommand(String id, String directory) throws Exception {
        String entries = "{\"path\":{\"type\":\"special\",\"value\":{\"kind\":\"root\"}},\"access\":\"read\"}";
        passedOver.clear();
        String answer = sandboxed("process/start", """
                "processId":"%s","argv":["true"],"cwd":"%s","env":{"PATH":"/usr/bin:/bin"},"tty":false,"arg0":null""".formatted(id, directory), entries, directory);
        if (!answer.contains("\"error\":{")) {
            awaitClosed(id);
        }
    }

    private String sandboxed(String method, String params, String entries, String workspace) throws Exception {
        return answer(method, """
                {%s,"sandbox":{"permissions":{"type":"managed","file_system":{"type":"restricted","entries":[%s]},
                "network":"restricted"},"cwd":"%s","workspaceRoots":["%s"],"windowsSandboxLevel":"disabled"}}""".formatted(params, entries, workspace, workspace));
    }

    /** Returns the id of the session. */
    private String handshake() throws Exception {
        String answer = call("initialize", "{\"clientName\":\"training-run\"}");
        send("{\"method\":\"initialized\",\"params\":{}}");
        String member = "\"sessionId\":\"";
        int from = answer.indexOf(member) + member.length();
        return answer.substring(from, answer.indexOf('"', from));
    }

    private void resume(String session) throws Exception {
        call("initialize", "{\"clientName\":\"training-run\",\"resumeSessionId\":\"%s\"}".formatted(session));
        send("{\"method\":\"initialized\",\"params\":{}}");
    }

    private void cat(String id, boolean tty) throws Exception {
        start(id, "[\"cat\"]", tty);
        call("process/write", "{\"processId\":\"%s\",\"chunk\":\"aGVsbG8K\",\"writeId\":\"w\"}".formatted(id));
        call("process/read", "{\"processId\":\"%s\",\"afterSeq\":0,\"waitMs\":5000}".formatted(id));
        call("process/signal", "{\"processId\":\"%s\",\"signal\":\"interrupt\"}".formatted(id));
        call("process/terminate", "{\"processId\":\"%s\"}".formatted(id));
        awaitClosed(id);
    }

    private void shortCommand(String id) throws Exception {
        start(id, "[\"sh\",\"-c\",\"head -c 100000 /dev/zero; echo done >&2; exit 3\"]", false);
        awaitClosed(id);
        call("process/read", "{\"processId\":\"%s\",\"afterSeq\":0}".formatted(id));
    }

    /** Reads output as fast as the process writes it, by notifications and reads. */
    private void bulk(String id) throws Exception {
        start(id, "[\"head\",\"-c\",\"%d\",\"/dev/zero\"]".formatted(BULK_BYTES), false);
        long after = 0;
        for (int read = 0; read < BULK_BYTES >> 20; read++) {
            String answer = call("process/read", """
                    {"processId":"%s","afterSeq":%d,"maxBytes":1048576,"waitMs":5000}""".formatted(id, after));
            after = number(answer, "\"nextSeq\":") - 1;
            passedOver.clear();
        }
        call("process/terminate", "{\"processId\":\"%s\"}".formatted(id));
    }

    private static long number(String message, String member) {
        int from = message.indexOf(member) + member.length();
        int end = from;
        while (Character.isDigit(message.charAt(end))) {
            end++;
        }
        return Long.parseLong(message.substring(from, end));
    }

    private void start(String id, String argv, boolean tty) throws Exception {
        passedOver.clear();
        call("process/start", """
                {"processId":"%s","argv":%s,"cwd":"file:///tmp","env":{"PATH":"/usr/bin:/bin"},"tty":%b,"pipeStdin":true,"arg0":null}""".formatted(id, argv, tty));
    }

    /** Makes a call. Throws for any error but an unknown method, which this server may not have yet. */
    private String call(String method, String params) throws Exception {
        String answer = answer(method, params);
        if (answer.contains("\"error\":{") && !answer.contains("-32601")) {
            throw new IllegalStateException(method + " was answered with " + answer);
        }
        return answer;
    }

    private String answer(String method, String params) throws Exception {
        int id = ++lastId;
        send("{\"id\":%d,\"method\":\"%s\",\"params\":%s}".formatted(id, method, params));
        return await("\"id\":" + id, method);
    }

    private void awaitClosed(String id) throws Exception {
        await("\"process/closed\",\"params\":{\"processId\":\"" + id + "\"", "process/closed of " + id);
    }

    private String await(String part, String what) throws Exception {
        for (String message : passedOver) {
            if (has(message, part)) {
                return message;
            }
        }
        while (true) {
            String message = messages.poll(ANSWER_SECONDS, TimeUnit.SECONDS);
            if (message == null) {
                throw new IllegalStateException("no answer to " + what + " within " + ANSWER_SECONDS + " s");
            }
            if (has(message, part)) {
                return message;
            }
            passedOver.add(message);
        }
    }

    /** Returns true if the part occurs and no further digit follows: id 1 is not id 12. */
    private static boolean has(String message, String part) {
        int at = message.indexOf(part);
        int end = at + part.length();
        return at >= 0 && (end == message.length() || !Character.isDigit(message.charAt(end)));
    }

    private void send(String text) {
        socket.sendText(text, true).join();
    }

    @Override
    public void close() {
        socket.sendClose(WebSocket.NORMAL_CLOSURE, "").join();
        http.shutdownNow();
    }

    /** Joins the parts of a message; called by one thread of the HTTP client at a time. */
    private final class Collector implements WebSocket.Listener {
        private final StringBuilder text = new StringBuilder();

        @Override
        public CompletionStage<?> onText(WebSocket socket, CharSequence data, boolean last) {
            text.append(data);
            if (last) {
                messages.add(text.toString());
                text.setLength(0);
            }
            socket.request(1);
            return null;
        }
    }
}
