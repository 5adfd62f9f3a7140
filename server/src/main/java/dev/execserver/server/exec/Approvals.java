package dev.execserver.server.exec;

import dev.execserver.protocol.process.ExecApprovalAnswer;
import dev.execserver.protocol.process.ExecApprovalAnswer.Decision;
import dev.execserver.protocol.process.ExecApprovalAnswer.Remember;
import dev.execserver.protocol.process.ExecApprovalRequest;
import dev.execserver.server.exec.ExecReports.Outcome;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/**
 * The questions of one command to its client, limited in number; more wait for their turn, within their time. A program about
 * which no answer comes does not run. Virtual threads ask.
 */
final class Approvals {
    static final int MAX_AT_ONCE = 64;

    /** A question shows all arguments or is not asked: nobody can approve what he does not see. */
    static final int MAX_ARGUMENT_BYTES = 256 * 1024;

    private final String processId;
    private final ApprovalClient client;
    private final boolean mayAsk;
    private final Duration limit;
    private final CommandClock clock;
    private final DenialForm denials;
    private final RememberedAnswers ofCommand = new RememberedAnswers();
    private final RememberedAnswers ofSession;
    private final Semaphore room = new Semaphore(MAX_AT_ONCE);

    /** @param mayAsk false if the client's dialect has no such question */
    Approvals(
            String processId,
            ApprovalClient client,
            boolean mayAsk,
            Duration limit,
            CommandClock clock,
            RememberedAnswers ofSession,
            DenialForm denials) {
        this.processId = processId;
        this.client = client;
        this.mayAsk = mayAsk;
        this.limit = limit;
        this.clock = clock;
        this.ofSession = ofSession;
        this.denials = denials;
    }

    /** Returns the answer that the client has given before, if it was to be remembered. */
    Optional<Outcome> remembered(AskedProgram program, boolean sandboxed, Judgement judgement) {
        ExecKey key = ExecKey.of(program, sandboxed);
        return ofCommand
                .find(key)
                .or(() -> ofSession.find(key))
                .map(answer -> outcome(answer, ExecReports.BY_REMEMBERED, Optional.empty(), program, judgement));
    }

    /** @param sandboxed true if the command that asks has a sandbox */
    Outcome ask(long execId, AskedProgram program, boolean sandboxed, Judgement judgement) {
        if (!mayAsk) {
            return denied(program, judgement, "the client of this dialect cannot be asked");
        }
        if (program.argumentBytes() > MAX_ARGUMENT_BYTES) {
            return denied(program, judgement, "its arguments are too long to ask about");
        }
        clock.questionOpened();
        try {
            return inTurn(execId, program, sandboxed, judgement)
                    .map(reply -> {
                        remember(ExecKey.of(program, sandboxed), reply.answer());
                        String by = reply.approver().isPresent() ? ExecReports.BY_APPROVER : ExecReports.BY_CLIENT;
                        return outcome(reply.answer(), by, reply.approver(), program, judgement);
                    })
                    .orElseGet(() -> denied(program, judgement, "there was no answer"));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return denied(program, judgement, "nobody waits for the answer any more");
        } finally {
            clock.questionClosed();
        }
    }

    private Optional<ApprovalClient.Reply> inTurn(
            long execId, AskedProgram program, boolean sandboxed, Judgement judgement) throws InterruptedException {
        long deadline = System.nanoTime() + limit.toNanos();
        if (!room.tryAcquire(limit.toNanos(), TimeUnit.NANOSECONDS)) {
            return Optional.empty();
        }
        try {
            ExecApprovalRequest question = new ExecApprovalRequest(
                    processId,
                    execId,
                    program.described(MAX_ARGUMENT_BYTES),
                    judgement.described(),
                    judgement.justification(),
                    sandboxed);
            return client.ask(question, program.pid().isEmpty(), Duration.ofNanos(deadline - System.nanoTime()));
        } finally {
            room.release();
        }
    }

    private void remember(ExecKey key, ExecApprovalAnswer answer) {
        answer.remember().ifPresent(how -> (how == Remember.SESSION ? ofSession : ofCommand).add(key, answer));
    }

    private Outcome outcome(
            ExecApprovalAnswer answer,
            String by,
            Optional<String> approver,
            AskedProgram program,
            Judgement judgement) {
        String why = answer.reason().filter(reason -> !reason.isBlank()).orElse("the client does not allow it");
        return new Outcome(
                answer.decision(),
                by,
                approver,
                judgement.rule(),
                answer.decision() == Decision.DENY ? denials.words(program, why) : "");
    }

    private Outcome denied(AskedProgram program, Judgement judgement, String why) {
        return new Outcome(Decision.DENY, ExecReports.BY_TIMEOUT, judgement.rule(), denials.words(program, why));
    }
}
