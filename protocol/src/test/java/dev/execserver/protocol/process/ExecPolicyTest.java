package dev.execserver.protocol.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import dev.execserver.protocol.paths.PathUri;
import dev.execserver.protocol.process.ExecPolicyParams.RulesText;
import dev.execserver.protocol.rpc.Dialect;
import dev.execserver.protocol.rpc.JsonSlice;
import dev.execserver.protocol.rpc.JsonWritable;
import dev.execserver.protocol.rpc.RpcException;
import dev.execserver.protocol.text.SurrogateEscapedText;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ExecPolicyTest {
    private static final ExecutedProgram GIT = new ExecutedProgram(
            OptionalLong.of(7),
            OptionalLong.of(6),
            PathUri.ofNative("/usr/bin/git"),
            List.of("git", "push"),
            PathUri.ofNative("/w s"));
    private static final String GIT_MEMBERS =
            "\"pid\":7,\"parentPid\":6,\"program\":\"file:///usr/bin/git\",\"argv\":[\"git\",\"push\"],\"cwd\":\"file:///w%20s\"";

    private static String json(JsonWritable value) {
        StringWriter text = new StringWriter();
        try (JsonGenerator g = new JsonFactory().createGenerator(text)) {
            value.writeTo(g);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return text.toString();
    }

    private static StartParams start(String policy, Dialect dialect) {
        return StartParams.read(
                JsonSlice.of("{\"processId\":\"p\",\"argv\":[\"true\"],\"cwd\":\"file:///\",\"env\":{},\"tty\":false,"
                        + "\"pipeStdin\":false,\"arg0\":null,\"execPolicy\":" + policy + "}"),
                dialect);
    }

    private static Optional<ExecPolicyParams> policy(String json) {
        return start(json, Dialect.OPEN).options().execPolicy();
    }

    @Test
    void everyMemberOfAPolicyIsReadAndWritten() {
        String json = "{\"rules\":[{\"name\":\"a.rules\",\"text\":\"x\"}],"
                + "\"prefixRules\":[{\"pattern\":[\"git\",[\"pull\",\"push\"]],\"decision\":\"prompt\",\"justification\":\"j\","
                + "\"canonicalMatching\":true}],\"allowed\":\"escalate\",\"fallback\":\"forbid\",\"heuristics\":true,"
                + "\"promptTimeoutMs\":9,\"report\":\"all\"}";

        ExecPolicyParams read = policy(json).orElseThrow();

        assertThat(read)
                .isEqualTo(new ExecPolicyParams(
                        List.of(new RulesText("a.rules", "x")),
                        List.of(new PrefixRuleParams(
                                List.of(List.of("git"), List.of("pull", "push")), "prompt", Optional.of("j"), true)),
                        ExecPolicyParams.Allowed.ESCALATE,
                        ExecPolicyParams.Fallback.FORBID,
                        true,
                        OptionalLong.of(9),
                        ExecPolicyParams.Report.ALL));
        assertThat(json(read)).isEqualTo(json);
        assertThat(json(start(json, Dialect.OPEN))).contains("\"execPolicy\":" + json);
    }

    @Test
    void anEmptyPolicyHasTheDefaults() {
        assertThat(policy("{}")).contains(ExecPolicyParams.NONE);
        assertThat(policy("null")).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '\'',
            value = {
                "{\"fallback\":\"deny\"} | unknown variant `deny`, expected one of `allow`, `prompt`, `forbid`",
                "{\"allowed\":\"host\"} | unknown variant `host`, expected one of `sandbox`, `escalate`",
                "{\"report\":\"some\"} | unknown variant `some`, expected one of `none`, `decisions`, `all`",
                "{\"rule\":[]} | unknown variant `rule`, expected one of `rules`, `prefixRules`, `allowed`, `fallback`,"
                        + " `heuristics`, `promptTimeoutMs`, `report`",
                "{\"rules\":[{\"name\":\"a\"}]} | missing field `text`",
                "{\"prefixRules\":[{}]} | missing field `pattern`",
                "{\"prefixRules\":[{\"pattern\":[1]}]} | invalid type: integer `1`, expected a sequence",
                "[] | invalid type: sequence, expected struct ExecPolicy"
            })
    void aPolicyThatCouldNotBeEnforcedIsRefused(String json, String message) {
        assertThatThrownBy(() -> policy(json)).isInstanceOf(RpcException.class).hasMessage(message);
    }

    @Test
    void theStrictDialectRefusesAPolicyInsteadOfIgnoringIt() {
        assertThatThrownBy(() -> start("{}", Dialect.STRICT))
                .isInstanceOf(RpcException.class)
                .hasMessageContaining("`execPolicy`");
        assertThat(start("null", Dialect.STRICT).options()).isEqualTo(StartOptions.NONE);
    }

    @Test
    void rulesAreNotKeptWhileTheProgramRuns() {
        assertThat(start("{}", Dialect.OPEN).remembered().options().execPolicy())
                .isEmpty();
    }

    @Test
    void aQuestionIsWrittenAndRead() {
        ExecApprovalRequest question = new ExecApprovalRequest(
                "p",
                3,
                GIT,
                List.of(new ExecRuleMatch(
                        List.of("git", "push"), "prompt", Optional.of("it leaves"), Optional.of("a:1"))),
                Optional.of("it leaves"),
                false);

        assertThat(json(question))
                .isEqualTo("{\"processId\":\"p\",\"execId\":3," + GIT_MEMBERS
                        + ",\"matches\":[{\"matchedPrefix\":[\"git\",\"push\"],\"decision\":\"prompt\",\"justification\":\"it leaves\","
                        + "\"rule\":\"a:1\"}],\"justification\":\"it leaves\",\"sandboxed\":false}");
        assertThat(ExecApprovalRequest.read(JsonSlice.of(json(question)))).isEqualTo(question);
    }

    @Test
    void anAnswerIsReadAndWritten() {
        String json = "{\"decision\":\"deny\",\"reason\":\"no\",\"remember\":\"session\"}";

        ExecApprovalAnswer answer = ExecApprovalAnswer.read(JsonSlice.of(json));

        assertThat(answer)
                .isEqualTo(new ExecApprovalAnswer(
                        ExecApprovalAnswer.Decision.DENY,
                        Optional.of("no"),
                        Optional.of(ExecApprovalAnswer.Remember.SESSION)));
        assertThat(json(answer)).isEqualTo(json);
        assertThat(ExecApprovalAnswer.read(JsonSlice.of("{\"decision\":\"run\",\"reason\":null,\"remember\":null}")))
                .isEqualTo(ExecApprovalAnswer.of(ExecApprovalAnswer.Decision.RUN));
        assertThatThrownBy(() -> ExecApprovalAnswer.read(JsonSlice.of("{\"decision\":\"yes\"}")))
                .hasMessage("unknown variant `yes`, expected one of `run`, `escalate`, `deny`");
    }

    @Test
    void reportsAreWrittenAndRead() {
        ExecDecidedNotification decided = new ExecDecidedNotification(
                "p", 1, 3, GIT, true, ExecApprovalAnswer.Decision.ESCALATE, "rule", Optional.of("a:1"), 5);
        ExecEndedNotification ended = new ExecEndedNotification("p", 2, 3, 137);

        assertThat(json(decided))
                .isEqualTo("{\"processId\":\"p\",\"seq\":1,\"execId\":3," + GIT_MEMBERS
                        + ",\"truncated\":true,\"decision\":\"escalate\",\"by\":\"rule\",\"rule\":\"a:1\",\"atMs\":5}");
        assertThat(ExecDecidedNotification.read(JsonSlice.of(json(decided)))).isEqualTo(decided);
        assertThat(json(ended)).isEqualTo("{\"processId\":\"p\",\"seq\":2,\"execId\":3,\"exitCode\":137}");
        assertThat(ExecEndedNotification.read(JsonSlice.of(json(ended)))).isEqualTo(ended);
    }

    @Test
    void bytesThatAreNotUtf8AreNotLost() {
        byte[] odd = {'a', (byte) 0xff, (byte) 0xc3};
        ExecutedProgram program = new ExecutedProgram(
                OptionalLong.empty(),
                OptionalLong.empty(),
                PathUri.ofNative(new byte[] {'/', (byte) 0xfe}),
                List.of("é", SurrogateEscapedText.decode(odd)),
                PathUri.ofNative("/"));
        ExecApprovalRequest question = new ExecApprovalRequest("p", 1, program, List.of(), Optional.empty(), true);

        String json = json(question);

        assertThat(json)
                .contains("\"program\":\"file:///%FE\"")
                .contains("\"argv\":[\"é\",\"a\\\\xff\\\\xc3\"]")
                .contains("\"argvBase64\":[\"w6k=\",\"Yf/D\"]");
        assertThat(new String(json.getBytes(StandardCharsets.UTF_8), StandardCharsets.UTF_8))
                .isEqualTo(json);
        assertThat(ExecApprovalRequest.read(JsonSlice.of(json))).isEqualTo(question);
    }
}
