package dev.execserver.it;

import static dev.execserver.it.support.ExecScene.DENIED;
import static dev.execserver.it.support.ExecScene.prompted;
import static dev.execserver.it.support.ExecScene.stderr;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.execserver.it.support.Answer;
import dev.execserver.it.support.ExecScene;
import dev.execserver.it.support.Json;
import dev.execserver.it.support.RemoteProcess;
import dev.execserver.it.support.SharedServer;
import dev.execserver.it.support.Start;
import dev.execserver.it.support.WireClient;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Other connections than that of the session answer questions about programs. */
@Timeout(120)
class ExecApproverIT {
    private static final int MOST = 8;

    @RegisterExtension
    static final SharedServer SERVER = SharedServer.with();

    private ExecScene execs;
    private String session;
    private WireClient approver;

    @BeforeEach
    void connect() {
        WireClient client = SERVER.silentClient();
        session = client.handshake().get("sessionId").asText();
        execs = new ExecScene(client);
        approver = another();
    }

    @AfterEach
    void leave() {
        execs.close();
    }

    private static WireClient another() {
        WireClient client = SERVER.silentClient();
        client.handshake();
        return client;
    }

    private JsonNode right() {
        return execs.client().call("exec/allowApprover").result();
    }

    private static JsonNode join(WireClient who, JsonNode right) {
        return who.call("exec/approve", "token", right.get("token").asText()).result();
    }

    private static JsonNode next(WireClient who, String method) {
        JsonNode message = who.nextStray();
        assertThat(message.path("method").asText()).as(message.toString()).isEqualTo(method);
        return message;
    }

    private static JsonNode question(WireClient who) {
        return next(who, "exec/approval");
    }

    private static String closed(WireClient who) {
        return next(who, "exec/approvalClosed").at("/params/by").asText();
    }

    private static void answer(WireClient who, JsonNode question, String decision) {
        who.answer(question, Json.object("decision", decision));
    }

    private void resume() {
        execs.goOn(SERVER.silentClient());
        execs.client()
                .call("initialize", "clientName", "again", "resumeSessionId", session, "takeover", true)
                .result();
        execs.client().notify("initialized", Json.object());
    }

    @Test
    void bothAreAskedAndTheFirstAnswerCounts() {
        JsonNode right = right();
        JsonNode joined = join(approver, right);
        RemoteProcess process = execs.run("id -u; id -u", prompted().put("report", "decisions"));

        JsonNode asked = question(approver);
        execs.question();
        answer(approver, asked, "deny");

        assertThat(joined.get("approverId")).isEqualTo(right.get("approverId"));
        assertThat(joined.get("clientName").asText()).isEqualTo("it-tests");
        assertThat(asked.at("/params/approverId")).isEqualTo(right.get("approverId"));
        assertThat(asked.at("/params/processId").asText()).isEqualTo(process.id());
        assertThat(asked.path("params").has("sessionId")).isFalse();
        JsonNode first = execs.client().nextStray();
        JsonNode second = execs.client().nextStray();
        JsonNode decided = first.at("/method").asText().equals("exec/decided") ? first : second;
        JsonNode told = decided == first ? second : first;
        assertThat(decided.at("/params/by").asText()).isEqualTo("approver");
        assertThat(told.at("/method").asText()).isEqualTo("exec/approvalClosed");
        assertThat(told.at("/params/by").asText()).isEqualTo("approver");
        assertThat(told.path("params").has("approverId")).isFalse();

        JsonNode again = question(approver);
        answer(execs.client(), execs.question(), "run");
        JsonNode over = next(approver, "exec/approvalClosed");
        assertThat(over.at("/params/by").asText()).isEqualTo("client");
        assertThat(over.at("/params/execId")).isEqualTo(again.at("/params/execId"));
        assertThat(over.at("/params/approverId")).isEqualTo(right.get("approverId"));
        process.closed();
        assertThat(stderr(process)).isEqualTo("Execution denied: /usr/bin/id: the client does not allow it\n");
    }

    @Test
    void anOpenQuestionIsAskedOfAnApproverThatComesLater() {
        RemoteProcess process = execs.run("id -u", prompted());
        execs.question();
        join(approver, right());

        answer(approver, question(approver), "run");

        assertThat(process.exited().exitCode()).isZero();
    }

    @Test
    void theOwnProgramIsAskedAboutTooWhileItsStartWaits() {
        join(approver, right());
        RemoteProcess process = execs.client().sendStart(Start.of("id", "-u").with("execPolicy", prompted()));
        execs.question();

        answer(approver, question(approver), "run");

        process.started().result();
        assertThat(process.exited().exitCode()).isZero();
    }

    @Test
    void anApproverAnswersWhileTheClientIsAway() {
        join(approver, right());
        RemoteProcess process = execs.run("id -u; id -u", prompted());
        execs.question();
        JsonNode asked = question(approver);
        execs.client().cut();

        answer(approver, asked, "run");
        JsonNode second = question(approver);
        resume();

        answer(execs.client(), execs.question(), "deny");
        assertThat(next(approver, "exec/approvalClosed").at("/params/execId")).isEqualTo(second.at("/params/execId"));
        assertThat(execs.client()
                        .call("process/read", "processId", process.id(), "afterSeq", 0, "waitMs", 30_000)
                        .result())
                .isNotNull();
    }

    @Test
    void anApproverThatWasCutComesBackWithItsToken() {
        JsonNode right = right();
        join(approver, right);
        RemoteProcess process = execs.run("id -u", prompted());
        question(approver);
        approver.cut();

        WireClient back = another();
        join(back, right);
        answer(back, question(back), "run");

        assertThat(process.exited().exitCode()).isZero();
    }

    @Test
    void aTokenServesOneConnectionAtATime() {
        JsonNode right = right();
        join(approver, right);
        RemoteProcess process = execs.run("id -u", prompted());
        JsonNode old = question(approver);
        WireClient other = another();

        join(other, right);
        assertThat(closed(approver)).isEqualTo("replaced");
        answer(approver, old, "run");
        approver.assertServed();
        assertThat(process.isExited()).isFalse();
        answer(other, question(other), "deny");

        assertThat(process.exited().exitCode()).isEqualTo(DENIED);
    }

    @Test
    void anAnswerThatCannotBeReadLeavesTheQuestionToTheOther() {
        join(approver, right());
        RemoteProcess process = execs.run("id -u; id -u", prompted());

        execs.client().answer(execs.question(), Json.object("decision", "maybe"));
        answer(approver, question(approver), "run");
        approver.answer(question(approver), Json.object("decision", 7));
        answer(execs.client(), execs.question(), "run");

        process.closed();
        assertThat(process.text().lines()).hasSize(2);
    }

    @Test
    void aQuestionIsClosedForAllWhenItsTimeIsOverOrItsProcessEnds() {
        join(approver, right());
        RemoteProcess late = execs.run("id -u", prompted().put("promptTimeoutMs", 300));
        question(approver);
        assertThat(closed(approver)).isEqualTo("timeout");
        assertThat(late.exited().exitCode()).isEqualTo(DENIED);
        execs.question();
        assertThat(closed(execs.client())).isEqualTo("timeout");

        RemoteProcess ended = execs.run("id -u", prompted());
        question(approver);
        ended.terminate();
        assertThat(closed(approver)).isEqualTo("ended");
    }

    @Test
    void aTokenEndsWithItsSession() {
        JsonNode right = right();
        execs.client().call("session/end").result();

        Answer answer =
                approver.call("exec/approve", "token", right.get("token").asText());

        assertThat(answer.errorMessage()).isEqualTo("unknown token of an approver");
    }

    @Test
    void anotherTokenOpensNothing() {
        String token = right().get("token").asText();
        String last = token.endsWith("A") ? "B" : "A";
        for (String wrong : new String[] {
            "", "x", token.substring(0, 16), token + "A", token.substring(0, token.length() - 1) + last
        }) {
            assertThat(approver.call("exec/approve", "token", wrong).errorMessage())
                    .isEqualTo("unknown token of an approver");
        }
        assertThat(token).hasSizeGreaterThan(50);
    }

    @Test
    void theClientOfTheSessionNeedsNoRight() {
        Answer answer = execs.client()
                .call("exec/approve", "token", right().get("token").asText());

        assertThat(answer.errorCode()).isEqualTo(-32600);
    }

    @Test
    void theRightsOfASessionAreBounded() {
        for (int i = 0; i < MOST; i++) {
            right();
        }

        Answer answer = execs.client().call("exec/allowApprover");

        assertThat(answer.error().at("/data/reason").asText()).isEqualTo("tooManyApprovers");
        assertThat(another().call("exec/allowApprover").result().has("token")).isTrue();
    }

    @Test
    void anErrorDeniesAtOnceAndSaysSo() {
        RemoteProcess process = execs.run("id -u", prompted());
        JsonNode question = execs.question();
        execs.client()
                .sendText("{\"id\":" + question.get("id") + ",\"error\":{\"code\":-32601,\"message\":\"no method\"}}");

        process.closed();
        assertThat(stderr(process)).contains("the question was answered with an error: no method");
    }
}
