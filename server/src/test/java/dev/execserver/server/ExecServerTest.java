package dev.execserver.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.execserver.server.config.ListenUrl;
import dev.execserver.server.config.Platform;
import dev.execserver.server.config.ServerConfig;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpResponse;
import java.net.http.WebSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Server inside of another program. */
@Timeout(60)
class ExecServerTest {

    @TempDir
    private Path spill;

    private final HttpClient http = HttpClient.newHttpClient();

    private ServerConfig config() {
        return ServerConfig.DEFAULTS.withRetention(
                ServerConfig.DEFAULTS.retention().withSpillDirectory(spill));
    }

    /** Whole text messages of one connection. */
    private static final class Messages implements WebSocket.Listener {
        private final BlockingQueue<String> queue = new LinkedBlockingQueue<>();
        private final StringBuilder part = new StringBuilder();

        @Override
        public CompletionStage<?> onText(WebSocket socket, CharSequence data, boolean last) {
            part.append(data);
            if (last) {
                queue.add(part.toString());
                part.setLength(0);
            }
            socket.request(1);
            return null;
        }

        String await(String content) throws InterruptedException {
            while (true) {
                String message = queue.poll(20, TimeUnit.SECONDS);
                assertThat(message).as("a message with " + content).isNotNull();
                if (message.contains(content)) {
                    return message;
                }
            }
        }
    }

    private Messages run(ExecServer server, String start) throws InterruptedException {
        Messages messages = new Messages();
        WebSocket socket = http.newWebSocketBuilder()
                .buildAsync(URI.create(server.url()), messages)
                .join();
        socket.sendText("{\"id\":1,\"method\":\"initialize\",\"params\":{\"clientName\":\"t\"}}", true)
                .join();
        messages.await("sessionId");
        socket.sendText("{\"method\":\"initialized\"}", true).join();
        socket.sendText("{\"id\":2,\"method\":\"process/start\",\"params\":" + start + "}", true)
                .join();
        return messages;
    }

    private static String start(String script, boolean tty) {
        return "{\"processId\":\"p\",\"argv\":[\"/bin/sh\",\"-c\",\"" + script
                + "\"],\"cwd\":\"/\",\"env\":{\"PATH\":\"/bin:/usr/bin\"},\"tty\":" + tty + "}";
    }

    @Test
    void twoServersLiveInOneProgramAndLeaveItsOwnChildrenAlone() throws Exception {
        try (ExecServer one = ExecServer.start(config());
                ExecServer two = ExecServer.start(config())) {
            Process own = new ProcessBuilder("/bin/sh", "-c", "sleep 0.2; exit 7").start();
            Messages first = run(one, start("exit 3", false));
            Messages second = run(two, start("exit 4", false));
            assertThat(first.await("process/exited")).contains("\"exitCode\":3");
            assertThat(second.await("process/exited")).contains("\"exitCode\":4");
            assertThat(own.waitFor()).isEqualTo(7);
        }
    }

    @Test
    void closingEndsEveryProcessAndLeavesNoFile() throws Exception {
        Path sign = spill.resolve("sign");
        ExecServer server = ExecServer.start(config());
        Messages messages = run(server, start("echo $$ > " + sign + "; exec sleep 60", false));
        messages.await("sandboxType");
        server.close();
        server.awaitStop();
        if (Files.exists(sign) && !Files.readString(sign).isBlank()) {
            long pid = Long.parseLong(Files.readString(sign).strip());
            assertThat(ProcessHandle.of(pid)).isEmpty();
        }
        Files.deleteIfExists(sign);
        assertThat(spill).isEmptyDirectory();
    }

    @ParameterizedTest
    @EnumSource(Platform.Pty.class)
    void terminalsComeFromEitherFactory(Platform.Pty factory) throws Exception {
        ServerConfig config =
                config().withPlatform(ServerConfig.DEFAULTS.platform().withPty(factory));
        try (ExecServer server = ExecServer.start(config)) {
            Messages messages = run(server, start("stty size; test -t 0 && exit 5", true));
            // 24 80 and the line end of a terminal, in Base64
            assertThat(messages.await("process/output")).contains("\"stream\":\"pty\"", "MjQgODANCg==");
            assertThat(messages.await("process/exited")).contains("\"exitCode\":5");
            messages.await("process/closed");
        }
    }

    @Test
    void healthIsAnsweredBesideTheWebSocket() throws Exception {
        try (ExecServer server = ExecServer.start(config())) {
            URI ready = URI.create(server.url().replaceFirst("^ws", "http") + "/readyz");
            HttpResponse<String> answer = http.send(
                    java.net.http.HttpRequest.newBuilder(ready).build(), HttpResponse.BodyHandlers.ofString());
            assertThat(answer.statusCode()).isEqualTo(200);
        }
    }

    @Test
    void anAddressInUseIsSaidAndNothingStaysBehind() {
        try (ExecServer first = ExecServer.start(config())) {
            ServerConfig same = config().withListenUrl(ListenUrl.parse(first.url()));
            assertThatExceptionOfType(UncheckedIOException.class)
                    .isThrownBy(() -> ExecServer.start(same))
                    .havingCause()
                    .isInstanceOf(IOException.class)
                    .withMessage("Address in use (os error 98)");
        }
        assertThat(spill).isEmptyDirectory();
    }
}
