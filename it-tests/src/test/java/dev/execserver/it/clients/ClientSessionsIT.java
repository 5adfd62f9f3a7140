package dev.execserver.it.clients;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.execserver.it.support.FakeExecServer;
import dev.execserver.it.support.Json;
import dev.execserver.it.support.SharedServer;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Further scenarios of the suite that all clients share: sessions of others, and warnings about requests. */
@Timeout(240)
class ClientSessionsIT {
    private static final Runnable NOTHING = () -> {};
    private static final int NOT_FOUND = -32004;

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
