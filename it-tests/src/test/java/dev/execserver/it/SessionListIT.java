package dev.execserver.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import dev.execserver.it.support.Answer;
import dev.execserver.it.support.Json;
import dev.execserver.it.support.RemoteProcess;
import dev.execserver.it.support.SharedServer;
import dev.execserver.it.support.Start;
import dev.execserver.it.support.WireClient;
import java.util.List;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Sessions that people can find: their names and {@code session/list}. */
@Timeout(60)
class SessionListIT {

    @RegisterExtension
    static final SharedServer SERVER = SharedServer.with();

    private static Answer initialize(WireClient client, Object... members) {
        var params = Json.object(members);
        params.put("clientName", "it-tests");
        return client.send("initialize", params).answer();
    }

    private static String session(WireClient client, Object... members) {
        String id = initialize(client, members).result().get("sessionId").textValue();
        client.notify("initialized", Json.object());
        return id;
    }

    private static List<JsonNode> sessions(WireClient client) {
        return StreamSupport.stream(
                        client.call("session/list").result().get("sessions").spliterator(), false)
                .toList();
    }

    private static JsonNode row(WireClient client, String session) {
        return sessions(client).stream()
                .filter(row -> row.get("sessionId").textValue().equals(session))
                .findFirst()
                .orElseThrow();
    }

    @Test
    void everySessionIsListedWithItsNameItsClientAndItsProcesses() {
        WireClient first = SERVER.silentClient();
        String id = session(first, "sessionName", "Nächtlicher Bau");
        RemoteProcess process = first.start(Start.shell("echo hello; exec sleep 1000"));
        process.awaitText("hello");
        WireClient second = SERVER.silentClient();
        String other = session(second);

        JsonNode row = row(second, id);
        assertThat(row.get("name").textValue()).isEqualTo("Nächtlicher Bau");
        assertThat(row.get("clientName").textValue()).isEqualTo("it-tests");
        assertThat(row.get("attached").booleanValue()).isTrue();
        assertThat(row.has("own")).isFalse();
        assertThat(row.get("startedAtMs").longValue()).isLessThanOrEqualTo(System.currentTimeMillis());
        JsonNode shown = row.get("processes").get(0);
        assertThat(shown.get("processId").textValue()).isEqualTo(process.id());
        assertThat(shown.get("argv").get(0).textValue()).isEqualTo("sh");
        assertThat(shown.get("running").booleanValue()).isTrue();
        assertThat(shown.get("outputBytes").longValue()).isEqualTo(6);
        assertThat(shown.get("cpuMs").isIntegralNumber()).isTrue();
        JsonNode own = row(second, other);
        assertThat(own.get("own").booleanValue()).isTrue();
        assertThat(own.has("name")).isFalse();
    }

    @Test
    void aLostSessionIsShownAsDetachedAndCanBeResumedByTheIdInTheList() {
        WireClient first = SERVER.silentClient();
        String id = session(first, "sessionName", "lost");
        first.start(Start.of("sleep", "1000"));
        first.cut();
        WireClient second = SERVER.silentClient();
        session(second);
        await().until(() -> !row(second, id).get("attached").booleanValue());
        WireClient third = SERVER.silentClient();
        assertThat(initialize(third, "resumeSessionId", id).failed()).isFalse();
        third.notify("initialized", Json.object());
        assertThat(row(third, id).get("name").textValue()).isEqualTo("lost");
    }

    @Test
    void aProcessThatHasUsedTheProcessorSaysHowMuchWhileItRunsAndAfterwards() {
        WireClient client = SERVER.client();
        String own = sessions(client).stream()
                .filter(row -> row.path("own").booleanValue())
                .map(row -> row.get("sessionId").textValue())
                .findFirst()
                .orElseThrow();
        RemoteProcess process = client.start(Start.shell("while :; do :; done"));
        await().until(() ->
                row(client, own).get("processes").get(0).get("cpuMs").longValue() > 50);
        process.terminate();
        process.closed();
        JsonNode ended = row(client, own).get("processes").get(0);
        assertThat(ended.get("exited").booleanValue()).isTrue();
        assertThat(ended.get("cpuMs").longValue()).isGreaterThan(50);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "  ", "two\nlines", "\u001b[31mred", "\u202eover", "x\u0000"})
    void aNameThatNoListCanShowIsRefused(String name) {
        WireClient client = SERVER.silentClient();
        Answer answer = initialize(client, "sessionName", name);
        assertThat(answer.errorCode()).isEqualTo(-32602);
        assertThat(answer.errorMessage()).startsWith("sessionName must have 1 to 100 characters");
    }
}
