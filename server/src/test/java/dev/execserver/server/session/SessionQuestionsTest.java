package dev.execserver.server.session;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.execserver.protocol.process.ExecApprovalAnswer.Decision;
import dev.execserver.protocol.process.ExecApprovalRequest;
import dev.execserver.protocol.rpc.JsonSlice;
import dev.execserver.protocol.rpc.JsonWritable;
import dev.execserver.protocol.rpc.RpcException;
import dev.execserver.server.concurrent.Threads;
import dev.execserver.server.exec.ApprovalClient.Reply;
import dev.execserver.server.outbound.BufferPool;
import dev.execserver.server.outbound.Outbound;
import dev.execserver.server.process.client.ClientRequests.OpenQuestion;
import dev.execserver.server.transport.InMemoryTransport;
import dev.execserver.server.transport.auth.Subject;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(30)
class SessionQuestionsTest {
    private static final ExecApprovalRequest QUESTION =
            ExecApprovalRequest.read(json("{\"processId\":\"p\",\"execId\":1,"
                    + "\"program\":\"file:///usr/bin/id\",\"argv\":[\"id\"],\"cwd\":\"file:///\",\"sandboxed\":true}"));

    private final Person client = new Person();
    private final Person one = new Person();
    private final Person two = new Person();
    private final SessionQuestions questions = new SessionQuestions(client);

    private static JsonSlice json(String text) {
        byte[] bytes = text.getBytes(UTF_8);
        return JsonSlice.of(bytes, 0, bytes.length);
    }

    /** A connection whose questions the test answers. */
    private static final class Person implements Attachment {
        private final List<CompletableFuture<JsonSlice>> asked = new ArrayList<>();
        private final InMemoryTransport.Pair pair = InMemoryTransport.pair();
        private final Outbound outbound = new Outbound(pair.server(), new BufferPool());
        private Optional<RpcException> unable = Optional.empty();

        Person() {
            Threads.virtual("writer", outbound::runWriter);
        }

        void answer(String decision) {
            asked.getLast().complete(json("{\"decision\":\"" + decision + "\"}"));
        }

        void fail(String message) {
            asked.getLast().completeExceptionally(RpcException.internal(message));
        }

        String told() throws IOException {
            return pair.client().receive().orElseThrow();
        }

        @Override
        public Optional<Subject> subject() {
            return Optional.empty();
        }

        @Override
        public Outbound outbound() {
            return outbound;
        }

        @Override
        public CompletableFuture<JsonSlice> ask(String method, JsonWritable params) {
            asked.add(new CompletableFuture<>());
            unable.ifPresent(asked.getLast()::completeExceptionally);
            return asked.getLast();
        }

        @Override
        public boolean provesAlive(Duration limit) {
            return true;
        }

        @Override
        public void awaitLastAnswers() {
            // nothing is sent
        }

        @Override
        public void displaced() {
            // nobody takes its place
        }
    }

    private static void assertDenied(OpenQuestion question, String why) {
        Reply reply = question.reply().getNow(null);
        assertThat(reply).isNotNull();
        assertThat(reply.approver()).isEmpty();
        assertThat(reply.answer().decision()).isEqualTo(Decision.DENY);
        assertThat(reply.answer().reason()).contains(why);
    }

    @Test
    void aClientThatCannotBeAskedLeavesTheQuestionToAnApprover() {
        client.unable = Optional.of(Unasked.because("it is no person"));
        questions.join("one", one);

        OpenQuestion question = questions.ask(QUESTION);
        assertThat(question.reply()).isNotDone();
        one.answer("run");

        assertThat(question.reply().getNow(null).answer().decision()).isEqualTo(Decision.RUN);
        assertThat(question.reply().getNow(null).approver()).contains("one");
    }

    @Test
    void aClientThatCannotBeAskedHasDeniedWhereNobodyElseIsOrIsLeft() {
        client.unable = Optional.of(Unasked.because("it is no person"));
        assertDenied(questions.ask(QUESTION), "it is no person");

        questions.join("one", one);
        OpenQuestion question = questions.ask(QUESTION);
        one.fail("not now");
        assertDenied(question, "it is no person");
    }

    @Test
    void anErrorOfTheClientIsCutBeforeItWaitsForAnApprover() {
        questions.join("one", one);
        OpenQuestion question = questions.ask(QUESTION);
        client.fail("x".repeat(10_000));
        assertThat(question.reply()).isNotDone();

        one.answer("perhaps");

        String start = "the question was answered with an error: ";
        assertDenied(question, start + "x".repeat(200 - start.length()) + "...");
    }

    @Test
    void whoAnswersAfterAnotherIsToldThatItWasTooLate() throws Exception {
        questions.join("one", one);
        questions.join("two", two);
        OpenQuestion question = questions.ask(QUESTION);

        one.answer("deny");
        two.answer("run");
        assertThat(two.told()).contains("exec/approvalClosed", "\"approverId\":\"two\"", "\"by\":\"approver\"");
        question.close(false);

        assertThat(client.told()).contains("exec/approvalClosed", "\"by\":\"approver\"");
        assertThat(question.reply().getNow(null).answer().decision()).isEqualTo(Decision.DENY);
    }

    @Test
    void whoUsesItsRightAgainIsNotAskedAgain() {
        OpenQuestion question = questions.ask(QUESTION);
        questions.join("one", one);
        questions.join("one", one);
        assertThat(one.asked).hasSize(1);

        questions.leave("one", one);
        questions.join("one", one);
        assertThat(one.asked).hasSize(2);
        question.close(true);
    }
}
