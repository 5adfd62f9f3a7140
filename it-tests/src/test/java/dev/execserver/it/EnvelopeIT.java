package dev.execserver.it;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.execserver.it.support.Json;
import dev.execserver.it.support.RawWebSocket;
import dev.execserver.it.support.RemoteProcess;
import dev.execserver.it.support.SharedServer;
import dev.execserver.it.support.Start;
import dev.execserver.it.support.WireClient;
import java.time.Duration;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Messages that are no request, and frames of unusual shape. */
@Timeout(60)
class EnvelopeIT {
    private static final String STATUS = "{\"id\":77,\"method\":\"environment/status\"}";

    @RegisterExtension
    static final SharedServer SERVER = SharedServer.with();

    private WireClient client;

    @BeforeEach
    void connect() {
        client = SERVER.client();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "not json",
                "",
                "  ",
                "[]",
                "[{\"id\":1,\"method\":\"environment/status\"}]",
                "5",
                "\"text\"",
                "null",
                "{}",
                "{\"id\":1}",
                "{\"id\":null,\"method\":\"environment/status\"}",
                "{\"id\":1.5,\"method\":\"environment/status\"}",
                "{\"id\":9223372036854775808,\"method\":\"environment/status\"}",
                "{\"id\":[],\"method\":\"environment/status\"}",
                "{\"id\":1,\"method\":5}",
                "{\"id\":1,\"method\":\"environment/status\"",
                "{\"id\":1,\"method\":\"environment/status\"} {}",
                "{\"id\":1,\"id\":2,\"method\":\"environment/status\"}",
                "{\"id\":1,\"method\":\"x\",\"params\":{\"a\":{\"b\":1,\"b\":1}}}",
                "{\"id\":1,\"method\":\"environment/status\",\"trace\":{\"traceparent\":5}}"
            })
    void b26_aMessageThatIsNoRequestIsAnsweredWithIdMinusOne(String text) {
        client.sendText(text);

        assertMalformed(client.nextStray());
        client.assertServed();
    }

    @Test
    void b26_anUnknownNotificationIsAnErrorAndTheConnectionStays() {
        client.notify("process/terminate", Json.object("processId", "x"));
        assertThat(client.nextStray().get("id").intValue()).isEqualTo(-1);
        client.notify("no/such", Json.object());

        JsonNode answer = client.nextStray();
        assertThat(answer.get("id").intValue()).isEqualTo(-1);
        assertThat(answer.get("error").get("code").intValue()).isEqualTo(-32600);
        client.assertServed();
    }

    @Test
    void b26_anAnswerNobodyAskedForIsAnErrorAndTheConnectionStays() {
        client.sendText("{\"id\":4711,\"result\":{}}");
        assertThat(client.nextStray().get("id").intValue()).isEqualTo(-1);
        client.sendText("{\"id\":4711,\"error\":{\"code\":-1,\"message\":\"x\"}}");

        assertThat(client.nextStray().get("id").intValue()).isEqualTo(-1);
        client.assertServed();
    }

    @Test
    void b26_jsonInABinaryFrameIsARequest() {
        client.sendBinary(STATUS.getBytes(UTF_8));

        assertThat(client.nextStray().get("id").intValue()).isEqualTo(77);
    }

    @Test
    void b26_binaryGarbageIsAnErrorAndTheConnectionStays() {
        client.sendBinary(new byte[] {(byte) 0xff, (byte) 0xfe, 0, 1});

        assertMalformed(client.nextStray());
        client.assertServed();
    }

    @Test
    void aBinaryFrameWhoseTextIsNotUtf8IsAnErrorAndTheConnectionStays() {
        client.sendBinary("{\"id\":77,\"method\":\"environment/status\",\"params\":\"\u00e9\"}".getBytes(ISO_8859_1));

        assertMalformed(client.nextStray());
        client.assertServed();
    }

    @Test
    void b26_idsAreEchoedWithTheirType() {
        for (String id : new String[] {"\"text\"", "\"\"", "-5", "0", "9223372036854775807", "\"1\""}) {
            client.sendText("{\"id\":" + id + ",\"method\":\"environment/status\"}");
            assertThat(client.nextStray().get("id")).hasToString(id);
        }
    }

    @Test
    void aRepeatedInitializedIsHarmless() {
        client.notify("initialized", Json.object());

        client.assertServed();
        assertThat(client.strayCount()).isZero();
    }

    @Test
    void theErrorForDuplicateKeysNamesTheKey() {
        client.sendText("{\"id\":12,\"method\":\"x\",\"params\":{\"twice\":1,\"twice\":2}}");

        assertThat(client.nextStray().get("error").get("message").textValue())
                .matches("failed to parse websocket JSON-RPC message from exec-server websocket 127\\.0\\.0\\.1:\\d+: "
                        + "duplicate JSON object key `twice` at line 1 column \\d+");
    }

    @Test
    void moreThan262144ValuesAreRefused() {
        client.sendText("{\"id\":1,\"method\":\"x\",\"params\":[" + "0,".repeat(262_144) + "0]}");

        assertThat(client.nextStray().get("error").get("message").textValue())
                .contains("JSON-RPC message exceeds the limit of 262144 JSON values at line 1 column ");
        client.assertServed();
    }

    @Test
    void moreThan127LevelsAreRefused() {
        client.sendText(nested(126));
        assertThat(client.nextStray().get("error").get("code").intValue()).isEqualTo(-32601);
        client.sendText(nested(127));

        assertThat(client.nextStray().get("error").get("message").textValue())
                .contains("recursion limit exceeded at line 1 column ");
    }

    @Test
    void b25_aFrameAbove16MiBIsRefusedWithAReasonAndOthersSurvive() {
        WireClient other = SERVER.client();
        RemoteProcess process = other.start(Start.of("cat").stdin());
        try {
            client.sendText("\"" + "x".repeat(28_000_000) + "\"");
        } catch (java.io.UncheckedIOException e) {
            // The server may hang up before it has read all of it; what counts is the close frame.
        }

        WireClient.Ending ending = client.ending(Duration.ofSeconds(10));
        assertThat(ending.code()).isEqualTo(1009);
        assertThat(ending.reason()).isNotBlank();
        assertThat(process.write("alive")).isEqualTo("accepted");
        process.awaitText("alive");
    }

    @Test
    void b25_aFrameOf15MiBIsAccepted() {
        RemoteProcess process = client.start(Start.shell("wc -c").stdin());
        process.sendWrite(new byte[11 << 20]).result();

        client.assertServed();
    }

    @Test
    void b25_aMessageOf40MiBInFragmentsIsAccepted() {
        String text = "{\"id\":\"big\",\"method\":\"no/such\",\"params\":\"" + "x".repeat(40 << 20) + "\"}";
        client.sendFragmented(text.getBytes(UTF_8), 8 << 20);

        assertThat(client.nextStray().get("error").get("code").intValue()).isEqualTo(-32601);
    }

    @Test
    void b25_aMessageAbove64MiBInFragmentsIsRefusedWithAReason() {
        byte[] fragment = new byte[14 << 20];
        java.util.Arrays.fill(fragment, (byte) ' ');
        try {
            client.frame(false, RawWebSocket.TEXT, fragment);
            for (int i = 0; i < 5; i++) {
                client.frame(false, RawWebSocket.CONTINUATION, fragment);
            }
        } catch (java.io.UncheckedIOException e) {
            // As above: hanging up early is fine.
        }

        assertThat(client.ending(Duration.ofSeconds(10)).code()).isEqualTo(1009);
    }

    @Test
    void aCharacterCutByAFragmentBorderIsWhole() {
        byte[] text = "{\"id\":\"\u20ac\",\"method\":\"environment/status\"}".getBytes(UTF_8);
        client.sendFragmented(text, 1);

        assertThat(client.nextStray().get("id").textValue()).isEqualTo("\u20ac");
    }

    @Test
    void aPingBetweenFragmentsIsAnswered() {
        byte[] text = STATUS.getBytes(UTF_8);
        client.frame(false, RawWebSocket.TEXT, java.util.Arrays.copyOf(text, 10));
        client.frame(true, RawWebSocket.PING, "are you there".getBytes(UTF_8));
        client.frame(true, RawWebSocket.CONTINUATION, java.util.Arrays.copyOfRange(text, 10, text.length));

        assertThat(client.nextStray().path("pong").asText()).isEqualTo("are you there");
        assertThat(client.nextStray().get("id").intValue()).isEqualTo(77);
    }

    @Test
    void aCloseFrameIsAnsweredWithACloseFrame() {
        client.frame(true, RawWebSocket.CLOSE, new byte[] {0x03, (byte) 0xe8});

        assertThat(client.ending(Duration.ofSeconds(15)).code()).isEqualTo(1000);
    }

    @Test
    void textThatIsNotUtf8ClosesWith1007() {
        client.frame(true, RawWebSocket.TEXT, new byte[] {'"', (byte) 0xc0, (byte) 0xaf, '"'});

        assertThat(client.ending(Duration.ofSeconds(15)).code()).isEqualTo(1007);
    }

    private static String nested(int arrays) {
        return "{\"id\":\"deep\",\"method\":\"no/such\",\"params\":" + "[".repeat(arrays) + "]".repeat(arrays) + "}";
    }

    private static void assertMalformed(JsonNode message) {
        assertThat(Json.names(message)).containsExactly("error", "id");
        assertThat(message.get("id").intValue()).isEqualTo(-1);
        assertThat(message.get("error").get("code").intValue()).isEqualTo(-32600);
        assertThat(message.get("error").get("message").textValue())
                .matches(
                        "(?s)failed to parse websocket JSON-RPC message from exec-server websocket 127\\.0\\.0\\.1:\\d+: .+");
    }
}
