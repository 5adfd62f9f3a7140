package dev.execserver.server.access;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;

class LineFormatTest {
    private static final String EVIL = "a\nb\u001b[2J\u202e \"c\" \\";

    private static AccessEvent event() {
        return AccessEvent.of(AccessKind.PROCESS_STARTED);
    }

    private static String text(AccessEvent event) {
        return LineFormat.TEXT.line(event, false);
    }

    @Test
    void aTextLineBeginsWithTimeLevelAndKind() {
        assertThat(LineFormat.TEXT.line(event().put(AccessField.PROCESS, "p1"), true))
                .matches("\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d\\.\\d{3}Z INFO process\\.started"
                        + " execserver\\.process\\.id=p1");
        assertThat(text(event().warning())).isEqualTo("WARN process.started");
    }

    @Test
    void membersStandInTheOrderOfTheFieldsWhateverTheOrderOfTheCalls() {
        assertThat(text(event().put(AccessField.EXIT_CODE, 3).put(AccessField.PROCESS, "p")))
                .endsWith("execserver.process.id=p process.exit.code=3");
    }

    @Test
    void foreignTextIsNeitherAnotherLineNorAnotherFieldNorObeyedByATerminal() {
        assertThat(text(event().put(AccessField.PROCESS, EVIL)))
                .endsWith("execserver.process.id=\"a\\nb\\x1b[2J\\u202e \\\"c\\\" \\\\\"");
        assertThat(text(event().put(AccessField.COMMAND_ARGS, List.of("sh", "-c", "x \",\"y"))))
                .endsWith("process.command_args=[\"sh\",\"-c\",\"x \\\",\\\"y\"]");
        assertThat(LineFormat.JSON.line(event().put(AccessField.PROCESS, EVIL), true))
                .matches("[ -~]*");
    }

    @Test
    void aJsonLineIsOneObjectWithValuesOfTheirKinds() throws IOException {
        AccessEvent event = event().put(AccessField.PROCESS, EVIL)
                .put(AccessField.PID, 7)
                .put(AccessField.DENIED, true)
                .put(AccessField.COMMAND_ARGS, List.of("a", "b"));
        JsonNode read = new ObjectMapper().readTree(LineFormat.JSON.line(event, true));
        assertThat(read.path("event_name").asText()).isEqualTo("process.started");
        assertThat(read.path("severity_text").asText()).isEqualTo("INFO");
        assertThat(read.path("timestamp").asText()).endsWith("Z");
        assertThat(read.path("execserver.process.id").asText()).isEqualTo(EVIL);
        assertThat(read.path("process.pid").isNumber()).isTrue();
        assertThat(read.path("execserver.sandbox.denied").isBoolean()).isTrue();
        assertThat(read.path("process.command_args")).hasSize(2);
    }

    @Test
    void longTextsAndListsAreCut() {
        String text = text(event().put(AccessField.PROCESS, "x".repeat(10_000_000)));
        assertThat(text).hasSizeLessThan(AccessEvent.MAX_TEXT + 200).endsWith("...");
        AccessEvent many = event().put(AccessField.COMMAND_ARGS, Collections.nCopies(1_000_000, "y"));
        assertThat(text(many)).contains("\"...\"]").hasSizeLessThan(1_000);
        AccessEvent large = event().put(AccessField.COMMAND_ARGS, Collections.nCopies(60, "z".repeat(100_000)));
        assertThat(text(large)).hasSizeLessThan(AccessEvent.MAX_LIST_CHARS + 1_000);
        assertThat(large.bytes()).isLessThan(4 * AccessEvent.MAX_LIST_CHARS);
    }

    @Test
    void aCutDoesNotSplitACharacterOfTwoHalves() {
        String text = text(event().put(AccessField.PROCESS, "😀".repeat(1_000)));
        assertThat(text).doesNotContain("\\ud83d").endsWith("😀...\"");
    }

    @Test
    void addressesOfBothFamiliesHaveTheirPartsApart() {
        assertThat(text(event().client("127.0.0.1:4711"))).endsWith("client.address=127.0.0.1 client.port=4711");
        assertThat(text(event().client("[::1]:80"))).endsWith("client.address=::1 client.port=80");
    }

    @Test
    void theLogHasTheBeginningOfASessionIdOnly() {
        assertThat(text(event().session("8258174f-1111-2222-3333-444444444444")))
                .endsWith("session.id=8258174f");
    }

    @Test
    void argumentsAreShownAsTheOperatorWants() {
        List<String> argv = List.of("curl", "-H", "Authorization: secret");
        AccessEvent program = event();
        ArgumentStyle.PROGRAM.put(program, argv);
        AccessEvent none = event();
        ArgumentStyle.NONE.put(none, argv);
        none.put(AccessField.ERROR, "program `curl`: No such file or directory");
        assertThat(text(program)).endsWith("process.executable.name=curl process.args_count=3");
        assertThat(text(none)).isEqualTo("INFO process.started process.args_count=3");
    }
}
