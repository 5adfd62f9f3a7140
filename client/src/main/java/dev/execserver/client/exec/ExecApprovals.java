package dev.execserver.client.exec;

import dev.execserver.protocol.process.ExecApprovalAnswer;
import dev.execserver.protocol.process.ExecApprovalAnswer.Decision;
import dev.execserver.protocol.process.ExecApprovalClosedNotification;
import dev.execserver.protocol.process.ExecApprovalRequest;
import dev.execserver.protocol.process.ExecReport;
import java.util.Optional;

/**
 * Decides about programs that the commands of this client execute, where rules say that somebody must be asked: those of a
 * process's {@code execPolicy}, and those of the server's operator.
 */
@FunctionalInterface
public interface ExecApprovals {

    /** Denies everything that rules ask about. */
    ExecApprovals DENY =
            question -> new ExecApprovalAnswer(Decision.DENY, Optional.of("nobody is asked here"), Optional.empty());

    /**
     * Answers one question, on a virtual thread of its own, and may wait for a person. The server waits for the time that the
     * process was started with. An exception or a late answer counts as denial.
     */
    ExecApprovalAnswer decide(ExecApprovalRequest question);

    /**
     * Tells that a question needs no answer any more: somebody else has answered, its time is over, or its process has ended. The
     * reader thread of the connection calls it, so it must not wait; {@link #decide} may still run.
     */
    default void closed(ExecApprovalClosedNotification question) {
        // a late answer does no harm
    }

    /**
     * Tells what was decided about a program, or that an escalated one has ended, for processes that were started with reports.
     * The reader thread of the connection calls it in the order of the reports, so it must not wait.
     */
    default void reported(ExecReport report) {
        // few need it
    }
}
