package dev.execserver.it;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import dev.execserver.it.support.AccessLogFile;
import dev.execserver.it.support.Answer;
import dev.execserver.it.support.ExecScene;
import dev.execserver.it.support.Json;
import dev.execserver.it.support.NamedClient;
import dev.execserver.it.support.Program;
import dev.execserver.it.support.RawHttpClient;
import dev.execserver.it.support.RemoteProcess;
import dev.execserver.it.support.ServerProcess;
import dev.execserver.it.support.WireClient;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Approvers of named clients: whose token holds for whom, and whom the access log names. */
@Timeout(120)
class ApproverPrincipalsIT {
    private static final Duration LIMIT = Duration.ofSeconds(40);
    private static final String ID = "execserver.approver.id";

    @TempDir
    private Path base;

    private AccessLogFile log;
    private Path admin;
    private ServerProcess server;

    @BeforeEach
    void start() throws IOException {
        String clients = NamedClient.entry("ada", "") + "," + NamedClient.entry("bob", "");
        Path file = Files.writeString(base.resolve("clients.json"), "{\"clients\":[" + clients + "]}");
        Path rules = Files.writeString(base.resolve("a.rules"), "prefix_rule([\"uname\"], \"prompt\")");
        admin = base.resolve("admin");
        log = new AccessLogFile(base.resolve("access.log"));
        server = log.server(
                List.of("--ws-auth", "named-clients", "--clients-file", file.toString()),
                List.of("--management-listen", "unix:" + admin, "--exec-rules", rules.toString()));
    }

    @AfterEach
    void stop() {
        server.close();
    }

    private WireClient connect(String name) {
        return WireClient.connect(server.port(), Map.of("Authorization", "Bearer " + name + "-token"));
    }

    private String ofOperator(String session) {
        return Program.run(base, "", "admin", "--url", "unix:" + admin, "allow-approver", session)
                .out()
                .strip();
    }

    private static Answer join(WireClient who, String token) {
        return who.call("exec/approve", "token", token);
    }

    @Test
    void theTokenOfAClientHoldsForItsOwnConnectionsAndThatOfTheOperatorForAll() {
        try (WireClient owner = connect("ada");
                WireClient own = connect("ada");
                WireClient other = connect("bob")) {
            String session = owner.handshake().get("sessionId").asText();
            own.handshake();
            other.handshake();
            ExecScene execs = new ExecScene(owner);
            JsonNode right = owner.call("exec/allowApprover").result();
            String ofClient = right.get("token").asText();

            assertThat(join(other, ofClient).errorMessage()).isEqualTo("unknown token of an approver");
            assertThat(join(own, ofClient).failed()).isFalse();
            JsonNode joined = join(other, ofOperator(session)).result();
            RemoteProcess process = execs.run("id -u", ExecScene.prompted());
            JsonNode asked = other.nextStray();
            assertThat(asked.at("/params/approverId")).isEqualTo(joined.get("approverId"));
            assertThat(own.nextStray().at("/params/approverId")).isEqualTo(right.get("approverId"));
            other.answer(asked, Json.object("decision", "run"));
            assertThat(process.exited().exitCode()).isZero();

            String id = joined.get("approverId").asText();
            assertThat(log.await("exec.decided", ID, id)
                            .get("execserver.decision.by")
                            .asText())
                    .isEqualTo("approver");
            assertThat(log.await("approver.joined", ID, id).get("user.id").asText())
                    .isEqualTo("bob");
            assertThat(log.await("admin.requested", ID, id).get("rpc.method").asText())
                    .isEqualTo("allow-approver");
            assertThat(log.await("approver.allowed").get(ID)).isEqualTo(right.get("approverId"));
            assertThat(log.await("approver.joined", "error.message", "unknown token of an approver")
                            .get("user.id")
                            .asText())
                    .isEqualTo("bob");
            assertThat(log.text()).doesNotContain(ofClient);
            execs.close();
        }
    }

    @Test
    void anApproverAnswersForACommandOverHttp() throws Exception {
        Path go = base.resolve("go");
        String script = "until [ -e " + go + " ]; do sleep 0.1; done; uname";
        String params = Json.object("command", List.of("sh", "-c", script), "permissionProfile", ":danger-full-access")
                .toString();
        try (RawHttpClient http = RawHttpClient.connect(server.port());
                WireClient approver = connect("bob")) {
            approver.handshake();
            http.head("POST /v1/exec HTTP/1.1|Host: 127.0.0.1|Authorization: Bearer ada-token"
                    + "|Content-Type: application/json|Content-Length: " + params.length());
            http.bytes(params.getBytes(UTF_8));
            String session = log.await("process.started").get("session.id").asText();
            await().atMost(LIMIT)
                    .until(() -> !join(approver, ofOperator(session)).failed());
            Files.createFile(go);

            JsonNode asked = approver.nextStray();
            assertThat(asked.at("/params/argv/0").asText()).isEqualTo("uname");
            approver.answer(asked, Json.object("decision", "run"));

            assertThat(http.response().text()).contains("Linux");
        }
    }

    @Test
    void aQuestionOfACommandOverHttpIsDeniedAtOnceWhereNobodyAnswers() throws Exception {
        String params =
                Json.object("command", List.of("sh", "-c", "uname; exit 3")).toString();
        try (RawHttpClient http = RawHttpClient.connect(server.port())) {
            http.head("POST /v1/exec HTTP/1.1|Host: 127.0.0.1|Authorization: Bearer ada-token"
                    + "|Content-Type: application/json|Content-Length: " + params.length());

            assertThat(http.bytes(params.getBytes(UTF_8)).response().text()).contains("an HTTP client cannot be asked");
        }
    }
}
