package dev.execserver.it.clients;

import static dev.execserver.it.support.ExecScene.prompted;
import static dev.execserver.it.support.ExecScene.stderr;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import dev.execserver.client.ClientOptions;
import dev.execserver.client.ExecServerClient;
import dev.execserver.client.exec.ExecApprovals;
import dev.execserver.client.process.Outcome;
import dev.execserver.client.process.ProcessSpec;
import dev.execserver.client.process.RemoteProcess;
import dev.execserver.it.support.ExecScene;
import dev.execserver.it.support.Json;
import dev.execserver.it.support.SharedServer;
import dev.execserver.it.support.UnreliableLink;
import dev.execserver.it.support.UnreliableLink.Trouble;
import dev.execserver.it.support.WireClient;
import dev.execserver.protocol.process.AllowApproverResult;
import dev.execserver.protocol.process.ExecApprovalAnswer;
import dev.execserver.protocol.process.ExecApprovalAnswer.Decision;
import dev.execserver.protocol.process.ExecApprovalClosedNotification;
import dev.execserver.protocol.process.ExecApprovalRequest;
import dev.execserver.protocol.process.ExecPolicyParams;
import dev.execserver.protocol.process.ExecPolicyParams.RulesText;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** A client of each language answers for a session that it does not have. */
@Timeout(240)
class ClientApproversIT {
    @RegisterExtension
    static final SharedServer SERVER = SharedServer.with();

    private static final ExecPolicyParams ASKING = ExecPolicyParams.NONE.withRules(
            List.of(new RulesText("a.rules", "prefix_rule(['id'], 'prompt')")), List.of());

    /** A person who answers when the test says so. */
    private static final class Person implements ExecApprovals {
        private final BlockingQueue<ExecApprovalRequest> asked = new LinkedBlockingQueue<>();
        private final BlockingQueue<ExecApprovalClosedNotification> closed = new LinkedBlockingQueue<>();
        private final BlockingQueue<Decision> answers = new LinkedBlockingQueue<>();

        @Override
        public ExecApprovalAnswer decide(ExecApprovalRequest question) {
            asked.add(question);
            try {
                return ExecApprovalAnswer.of(answers.take());
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        }

        @Override
        public void closed(ExecApprovalClosedNotification question) {
            closed.add(question);
        }

        ExecServerClient connect(int port) throws InterruptedException {
            return ExecServerClient.connect(ClientOptions.url("ws://127.0.0.1:" + port)
                    .execApprovals(this)
                    .build());
        }
    }

    private static <T> T next(BlockingQueue<T> queue) throws InterruptedException {
        T next = queue.poll(60, TimeUnit.SECONDS);
        assertThat(next).isNotNull();
        return next;
    }

    @ParameterizedTest
    @CsvSource({"TYPESCRIPT, approver", "PYTHON, approver", "PYTHON, approverFacade"})
    void aClientAnswersForAnotherSessionAndIsToldThatTheOtherWasFaster(Language language, String action)
            throws Exception {
        ClientDriver driver = language.driver();
        WireClient owner = SERVER.silentClient();
        owner.handshake();
        ExecScene execs = new ExecScene(owner);
        JsonNode right = owner.call("exec/allowApprover").result();
        var process = execs.run("id -u; id -u", prompted());
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            Future<JsonNode> approver = threads.submit(() -> driver.act(
                    "ws://127.0.0.1:" + SERVER.port(),
                    action,
                    Json.object("right", right.get("token").asText()),
                    () -> {}));
            execs.question();
            await().atMost(Duration.ofSeconds(90)).until(() -> owner.strayCount() > 0);
            assertThat(owner.nextStray().at("/params/by").asText()).isEqualTo("approver");
            execs.answer(execs.question(), "run");
            process.closed();

            JsonNode told = approver.get();
            assertThat(told.path("by").asText()).as("%s", told).isEqualTo("client");
            assertThat(told.get("approverId")).isEqualTo(right.get("approverId"));
            assertThat(told.get("asked").get(0)).isEqualTo(right.get("approverId"));
            assertThat(told.get("own").asText()).hasSizeGreaterThan(50);
            assertThat(stderr(process)).endsWith("the other says so\n");
        } finally {
            execs.close();
        }
    }

    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "JAVA")
    void aClientIsToldThatItsRightHasGoneWhileItHadNoConnection(Language language) throws Exception {
        try (UnreliableLink link = UnreliableLink.to(SERVER.port());
                WireClient owner = SERVER.silentClient()) {
            owner.handshake();
            JsonNode right = owner.call("exec/allowApprover").result();
            JsonNode told = language.driver()
                    .act(
                            "ws://127.0.0.1:" + link.port(),
                            "lostRight",
                            Json.object("right", right.get("token").asText(), "takeWarnings", true),
                            () -> {
                                owner.call("session/end");
                                link.trouble(Trouble.CUT, new Random(1));
                            });
            assertThat(told.path("warnings").path(0).asText())
                    .as("%s", told)
                    .startsWith(
                            "exec/approve: the right " + right.get("approverId").asText() + " is not in use");
        }
    }

    @Test
    void theJavaClientAnswersForAnotherSessionAlsoAfterItsConnectionWasCut() throws Exception {
        Person here = new Person();
        Person there = new Person();
        try (UnreliableLink link = UnreliableLink.to(SERVER.port());
                ExecServerClient owner = here.connect(SERVER.port());
                ExecServerClient approver = there.connect(link.port())) {
            AllowApproverResult right = owner.allowApprover();
            assertThat(approver.approve(right.token()).approverId()).isEqualTo(right.approverId());
            try (RemoteProcess process = owner.start(
                    ProcessSpec.of("sh", "-c", "env id -u; env id -u").execPolicy(ASKING))) {
                assertThat(next(there.asked).approverId()).contains(right.approverId());
                assertThat(next(here.asked).approverId()).isEmpty();
                there.answers.add(Decision.RUN);
                assertThat(next(here.closed).by()).isEqualTo("approver");
                here.answers.add(Decision.DENY); // too late

                next(here.asked);
                next(there.asked);
                assertThat(link.trouble(Trouble.CUT, new Random(1))).isTrue();
                next(there.asked);
                there.answers.add(Decision.DENY);
                there.answers.add(Decision.DENY);

                assertThat(((Outcome.Exited) process.waitFor()).exitCode()).isEqualTo(126);
            }
            here.answers.add(Decision.DENY);
            owner.end();
            approver.end();
        }
    }
}
