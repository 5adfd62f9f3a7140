package dev.execserver.server.session;

import dev.execserver.protocol.process.ExecApprovalAnswer;
import dev.execserver.protocol.process.ExecApprovalAnswer.Decision;
import dev.execserver.protocol.process.ExecApprovalClosedNotification;
import dev.execserver.protocol.process.ExecApprovalRequest;
import dev.execserver.protocol.process.ProcessMethodNames;
import dev.execserver.protocol.rpc.JsonSlice;
import dev.execserver.protocol.rpc.MessageBuffer;
import dev.execserver.protocol.rpc.MessageEncoder;
import dev.execserver.protocol.rpc.RpcException;
import dev.execserver.server.exec.ApprovalClient.Reply;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.ReentrantLock;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A question about a program, asked of the session's connection and of its approvers. The first answer that can be read counts. One
 * that cannot, and an error, is a denial as soon as nobody else can answer, as is a client that cannot be asked. A connection that ends
 * has said nothing.
 *
 * <p>Reader threads answer, {@link SessionQuestions} asks and closes; its lock guards the fields.
 */
final class ApprovalQuestion {
    /** Characters of a client's faulty answer that the program prints at most. */
    private static final int MAX_REASON = 200;

    private static final Logger LOG = LoggerFactory.getLogger(ApprovalQuestion.class);

    private final ReentrantLock lock;
    private final ExecApprovalRequest question;
    private final CompletableFuture<Reply> reply = new CompletableFuture<>();
    /** The requests without an answer by the right of the one who is asked; the session's connection has none. */
    private final Map<Optional<String>, Sent> unanswered = new HashMap<>();

    private Optional<String> refusal = Optional.empty();

    private record Sent(Attachment asked, CompletableFuture<JsonSlice> answer) {}

    /** @param lock guards the fields; methods take it or are called with it, as they say */
    ApprovalQuestion(ReentrantLock lock, ExecApprovalRequest question) {
        this.lock = lock;
        this.question = question;
    }

    CompletableFuture<Reply> reply() {
        return reply;
    }

    /**
     * Asks one more, or another connection in the place of one. Called with the lock.
     *
     * @param approver the right of an approver; empty for the session's connection
     */
    void ask(Attachment who, Optional<String> approver) {
        drop(approver, "replaced");
        if (reply.isDone()) {
            return;
        }
        if (approver.isEmpty()) {
            refusal = Optional.empty();
        }
        CompletableFuture<JsonSlice> answer = who.ask(
                ProcessMethodNames.EXEC_APPROVAL,
                approver.map(question::forApprover).orElse(question));
        Sent sent = new Sent(who, answer);
        unanswered.put(approver, sent);
        var _ = answer.whenComplete((result, failure) -> answered(approver, sent, result, failure));
    }

    private void answered(Optional<String> approver, Sent sent, JsonSlice result, Throwable failure) {
        lock.lock();
        try {
            if (unanswered.remove(approver, sent)) {
                if (reply.isDone()) { // somebody was faster
                    tell(approver, sent, by(false));
                } else {
                    take(approver, result, failure);
                }
            }
        } finally {
            lock.unlock();
        }
    }

    private void take(Optional<String> approver, JsonSlice result, Throwable failure) {
        if (failure == null) {
            try {
                reply.complete(new Reply(ExecApprovalAnswer.read(result), approver));
                return;
            } catch (RpcException e) {
                refused(approver, "the answer cannot be read: " + e.getMessage());
            }
        } else if (failure instanceof RpcException error) {
            String why = error.getMessage();
            refused(approver, Unasked.is(error) ? why : "the question was answered with an error: " + why);
        }
        if (unanswered.isEmpty()) {
            refusal.ifPresent(why -> reply.complete(
                    Reply.ofClient(new ExecApprovalAnswer(Decision.DENY, Optional.of(why), Optional.empty()))));
        }
    }

    /** An approver that fails leaves the question to the session's connection, which may be away for a while. */
    private void refused(Optional<String> approver, String whole) {
        String why = whole.length() > MAX_REASON ? whole.substring(0, MAX_REASON) + "..." : whole;
        LOG.debug("question {} of {}: {}", question.execId(), question.processId(), why);
        if (approver.isEmpty()) {
            refusal = Optional.of(why);
        }
    }

    /** Takes the question back from one who was asked by a right. Called with the lock. */
    void drop(Optional<String> approver, String by) {
        Optional.ofNullable(unanswered.remove(approver)).ifPresent(sent -> takeBack(approver, sent, by));
    }

    /** Takes the question back from everybody. Called with the lock. */
    void close(boolean over) {
        String by = by(over);
        reply.cancel(false);
        for (Optional<String> approver : List.copyOf(unanswered.keySet())) {
            drop(approver, by);
        }
    }

    private String by(boolean over) {
        if (over || reply.isCancelled()) {
            return "ended";
        }
        if (!reply.isDone()) {
            return "timeout";
        }
        return reply.join().approver().isPresent() ? "approver" : "client";
    }

    private void takeBack(Optional<String> approver, Sent sent, String by) {
        sent.answer().cancel(false);
        tell(approver, sent, by);
    }

    private void tell(Optional<String> approver, Sent sent, String by) {
        MessageBuffer message = new MessageBuffer();
        MessageEncoder.notification(
                message,
                ProcessMethodNames.EXEC_APPROVAL_CLOSED,
                new ExecApprovalClosedNotification(question.processId(), question.execId(), approver, by));
        if (!sent.asked().outbound().offer(message, () -> {})) {
            LOG.debug("who was asked about {} reads nothing", question.processId());
        }
    }
}
