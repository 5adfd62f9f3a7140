package dev.execserver.it.clients;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.execserver.it.support.FakeExecServer;
import dev.execserver.it.support.Json;
import dev.execserver.it.support.SharedServer;
import dev.execserver.it.support.VarTmp;
import java.io.IOException;
import java.net.Socket;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Further scenarios of the suite that all clients share: sessions of others, and warnings about requests. */
@Timeout(240)
class ClientSessionsIT {
    private static final Runnable NOTHING = () -> {};
    private static final int NOT_FOUND = -32004;
    private static final int INVALID_REQUEST = -32600;

    @TempDir(factory = VarTmp.class)
    private Path directory;

    @RegisterExtension
    static final SharedServer SERVER = SharedServer.with();

    private static String url() {
        return "ws://127.0.0.1:" + SERVER.port();
    }

    @ParameterizedTest
    @EnumSource
    void aNamedSessionIsFoundAndItsProcessIsWaitedForAndFollowedToItsEnd(Language language) throws Exception {
        JsonNode args = Json.object("sessionName", "Nächtlicher Bau " + language);
        JsonNode result = language.driver().act(url(), "observed", args, NOTHING);

        assertThat(result.path("own").booleanValue()).as("%s", result).isTrue();
        assertThat(result.get("met").booleanValue()).isTrue();
        assertThat(result.get("seen").textValue()).isEqualTo("ready\ngot w\n");
        assertThat(result.get("seenCode").intValue()).isEqualTo(5);
        assertThat(result.get("text").textValue()).isEqualTo("ready\ngot w\n");
        assertThat(result.get("exitCode").intValue()).isEqualTo(5);
    }

    @ParameterizedTest
    @EnumSource
    void whatIsBrokenOffEndsOnTheServer(Language language) throws Exception {
        JsonNode result = language.driver().act(url(), "aborted", Json.object(), NOTHING);

        assertThat(result.path("failure").textValue()).as("%s", result).isEqualTo("aborted");
        assertThat(result.get("left").intValue()).isZero();
    }

    @ParameterizedTest
    @EnumSource
    void bothStreamsComeAsOneIfAskedFor(Language language) throws Exception {
        ObjectNode args = Json.object("argv", List.of("sh", "-c", "echo a; echo bc >&2"), "merge", true);
        JsonNode result = language.driver().act(url(), "output", args, NOTHING);

        assertThat(result.path("bytes").intValue()).as("%s", result).isEqualTo(5);
        assertThat(result.get("stderrBytes").intValue()).isZero();
    }

    @ParameterizedTest
    @EnumSource
    void eachConnectionAsksForItsToken(Language language) throws Exception {
        List<String> tokens = new CopyOnWriteArrayList<>();
        FakeExecServer.Script script = new FakeExecServer.Script() {
            @Override
            public boolean http(String head, Socket connection) {
                head.lines()
                        .filter(line -> line.toLowerCase(Locale.ROOT).startsWith("authorization:"))
                        .forEach(line -> tokens.add(line.substring(line.lastIndexOf(' ') + 1)));
                return false;
            }

            @Override
            public void request(FakeExecServer.Link link, String method, JsonNode id, JsonNode params)
                    throws IOException {
                switch (method) {
                    case "initialize" -> {
                        if (params.hasNonNull("resumeSessionId")) {
                            link.error(id, INVALID_REQUEST, "unknown session id s1");
                        } else {
                            link.result(id, FakeExecServer.greeting("s1"));
                        }
                    }
                    case "process/start" -> {
                        link.result(id, Json.object("processId", params.get("processId")));
                        throw new IOException("the connection is cut here");
                    }
                    default -> link.result(id, Json.object());
                }
            }
        };
        try (FakeExecServer server = FakeExecServer.saying(script)) {
            ObjectNode args = Json.object("argv", List.of("any"), "token", "t", "countTokens", true);
            JsonNode _ = language.driver().act(server.url(), "output", args, NOTHING);

            assertThat(tokens).containsExactly("t1", "t2");
        }
    }

    @Test
    void pythonHasTheSameWithoutAsyncio() throws Exception {
        JsonNode args = Json.object("directory", directory.toString());
        JsonNode result = Language.PYTHON.driver().act(url(), "facade", args, NOTHING);

        assertThat(result)
                .isEqualTo(Json.object(
                        "lines",
                        List.of("one\n", "two\n"),
                        "exitCode",
                        4,
                        "text",
                        "three",
                        "content",
                        "content",
                        "seen",
                        "one\ntwo\n",
                        "sessions",
                        true));
    }

    @ParameterizedTest
    @EnumSource
    void eachWarningAboutARequestIsToldOnce(Language language) throws Exception {
        try (FakeExecServer server = FakeExecServer.saying((link, method, id, params) -> {
            switch (method) {
                case "initialize" -> link.warning(id, FakeExecServer.greeting("s1"), "no \u001b[2Jname");
                case "environment/status" -> link.warning(id, Json.object("status", "ready"), "one", "two", "one");
                case "fs/readFile" ->
                    link.text(Json.object(
                                    "id",
                                    id,
                                    "error",
                                    Json.object(
                                            "code",
                                            NOT_FOUND,
                                            "message",
                                            "none",
                                            "data",
                                            Json.object("warnings", "three")))
                            .toString());
                default -> link.result(id, Json.object());
            }
        })) {
            JsonNode args = Json.object("takeWarnings", true);
            JsonNode result = language.driver().act(server.url(), "warned", args, NOTHING);

            assertThat(StreamSupport.stream(result.path("warnings").spliterator(), false)
                            .map(JsonNode::textValue))
                    .as("%s", result)
                    .containsExactly(
                            "initialize: no \u001b[2Jname",
                            "environment/status: one",
                            "environment/status: two",
                            "fs/readFile: three");
        }
    }
}
