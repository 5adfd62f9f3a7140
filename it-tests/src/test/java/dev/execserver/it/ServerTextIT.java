package dev.execserver.it;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.execserver.it.support.FakeExecServer;
import dev.execserver.it.support.FakeExecServer.Link;
import dev.execserver.it.support.Json;
import dev.execserver.it.support.Program;
import dev.execserver.protocol.text.VisibleText;
import java.io.IOException;
import java.net.Socket;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What a hostile server says, in every place that the command line prints, does nothing to a terminal and forges no line. */
@Timeout(120)
class ServerTextIT {
    private static final int INVALID_REQUEST = -32600;
    private static final String EVIL =
            "boom \u001b]0;PWN\u0007\u001b[2J\u009b5mA\rB\nError: forged\u2028C\u2029D\u0085E\u202e";

    @TempDir
    private Path directory;

    /** The places where words of a server arrive. */
    private enum Place {
        UPGRADE_BODY,
        UPGRADE_REASON,
        INITIALIZE_ERROR,
        INITIALIZE_SHAPE,
        SESSION_ID,
        NO_JSON(false),
        START_ERROR,
        START_SHAPE,
        EXIT_REASON,
        CLOSED_REASON,
        READ_FAILURE,
        READ_ERROR,
        START_WARNING,
        CLOSE_FRAME,
        SIGNAL_ERROR(List.of("kill", "--session", "s", "p")),
        PS_ROW(List.of("ps", "--session", "s")),
        PS_ERROR(List.of("ps", "--session", "s")),
        COPY_ERROR(List.of("cp", ":/x", ".")),
        ENTRY_NAME(List.of("cp", "-r", ":/x", "."));

        private final List<String> command;
        private final boolean repeated;

        Place() {
            this(true);
        }

        Place(List<String> command) {
            this(command, true);
        }

        /** @param repeated whether the words themselves are told */
        Place(boolean repeated) {
            this(List.of("run", "--verbose", "--", "x"), repeated);
        }

        Place(List<String> command, boolean repeated) {
            this.command = command;
            this.repeated = repeated;
        }
    }

    @ParameterizedTest
    @EnumSource(Place.class)
    void c101_aServerSaysNothingThatATerminalObeys(Place place) {
        try (FakeExecServer server = FakeExecServer.saying(new Hostile(place))) {
            String[] arguments = Stream.of(
                            List.of(place.command.getFirst(), "--url", server.url()),
                            place.command.subList(1, place.command.size()))
                    .flatMap(List::stream)
                    .toArray(String[]::new);
            Program program = Program.run(directory, "", arguments);

            String text = program.out() + program.err();
            assertThat(text).as("it says something").isNotEmpty();
            assertThat(text.split("\n"))
                    .as(text)
                    .allMatch(VisibleText::harmless)
                    .noneMatch(line -> line.startsWith("Error: forged"));
            assertThat(program.err().lines().filter(line -> line.startsWith("Error: ")))
                    .as(program.err())
                    .hasSizeLessThanOrEqualTo(1);
            assertThat(text.contains("boom")).as(text).isEqualTo(place.repeated);
        }
    }

    /** Says it in one place and behaves well in all others. */
    private record Hostile(Place place) implements FakeExecServer.Script {
        @Override
        public boolean http(String head, Socket connection) throws IOException {
            byte[] answer = switch (place) {
                case UPGRADE_BODY ->
                    ("HTTP/1.1 401 Unauthorized\r\nContent-Length: " + EVIL.getBytes(UTF_8).length + "\r\n\r\n" + EVIL)
                            .getBytes(UTF_8);
                case UPGRADE_REASON ->
                    ("HTTP/1.1 302 " + EVIL.replaceAll("\\R", "") + "\r\nContent-Length: 0\r\n\r\n").getBytes(UTF_8);
                default -> new byte[0];
            };
            connection.getOutputStream().write(answer);
            return answer.length > 0;
        }

        @Override
        public void request(Link link, String method, JsonNode id, JsonNode params) throws IOException {
            switch (method) {
                case "initialize" -> initialize(link, id);
                case "process/start" -> start(link, id, params.path("processId").textValue());
                case "process/read" -> read(link, id);
                case "process/list" -> list(link, id);
                case "fs/getMetadata" -> look(link, id, params.path("path").textValue());
                case "fs/readDirectory" ->
                    link.result(
                            id,
                            Json.object(
                                    "entries",
                                    List.of(Json.object("fileName", EVIL, "isDirectory", false, "isFile", true))));
                default -> link.error(id, INVALID_REQUEST, EVIL);
            }
        }

        private void initialize(Link link, JsonNode id) throws IOException {
            switch (place) {
                case INITIALIZE_ERROR -> link.error(id, INVALID_REQUEST, EVIL);
                case INITIALIZE_SHAPE -> link.result(id, Json.object("sessionId", "s", "features", EVIL));
                case NO_JSON -> link.text(EVIL);
                default ->
                    link.result(
                            id,
                            FakeExecServer.greeting(
                                    place == Place.SESSION_ID ? EVIL : "s",
                                    "process/closeStdin",
                                    "process/list",
                                    "process/signal"));
            }
        }

        private void start(Link link, JsonNode id, String process) throws IOException {
            switch (place) {
                case START_ERROR -> {
                    link.error(id, INVALID_REQUEST, EVIL);
                    return;
                }
                case START_SHAPE -> {
                    link.result(id, Json.object("processId", "p", "sandboxType", EVIL));
                    return;
                }
                case START_WARNING -> link.warning(id, Json.object("processId", process), EVIL);
                default -> link.result(id, Json.object("processId", process));
            }
            if (place == Place.CLOSE_FRAME) {
                link.close(1008, EVIL.substring(0, EVIL.length() - 20));
                throw new IOException("closed");
            }
            if (place == Place.READ_FAILURE || place == Place.READ_ERROR) {
                link.push("process/exited", "processId", process, "seq", 9, "exitCode", 3, "sandboxDenied", false);
                return;
            }
            link.push(
                    "process/exited",
                    "processId",
                    process,
                    "seq",
                    1,
                    "exitCode",
                    3,
                    "sandboxDenied",
                    false,
                    "reason",
                    place == Place.EXIT_REASON ? EVIL : null);
            link.push(
                    "process/closed",
                    "processId",
                    process,
                    "seq",
                    2,
                    "reason",
                    place == Place.CLOSED_REASON ? EVIL : null);
        }

        private void read(Link link, JsonNode id) throws IOException {
            if (place == Place.READ_ERROR) {
                link.error(id, INVALID_REQUEST, EVIL);
                return;
            }
            link.result(
                    id,
                    Json.object("chunks", List.of(), "nextSeq", 1, "exited", false, "closed", false, "failure", EVIL));
        }

        private void list(Link link, JsonNode id) throws IOException {
            if (place == Place.PS_ERROR) {
                link.error(id, INVALID_REQUEST, EVIL);
                return;
            }
            link.result(
                    id,
                    Json.object(
                            "processes",
                            List.of(Json.object(
                                    "processId",
                                    place == Place.SIGNAL_ERROR ? "p" : EVIL,
                                    "argv",
                                    List.of("x", EVIL),
                                    "cwd",
                                    "file:///tmp",
                                    "pid",
                                    1,
                                    "tty",
                                    false,
                                    "exited",
                                    false,
                                    "startedAtMs",
                                    1))));
        }

        private void look(Link link, JsonNode id, String path) throws IOException {
            if (place == Place.COPY_ERROR || !path.endsWith("/x")) {
                link.error(id, INVALID_REQUEST, EVIL);
                return;
            }
            link.result(
                    id,
                    Json.object(
                            "isDirectory",
                            true,
                            "isFile",
                            false,
                            "isSymlink",
                            false,
                            "size",
                            0,
                            "createdAtMs",
                            0,
                            "modifiedAtMs",
                            0));
        }
    }
}
