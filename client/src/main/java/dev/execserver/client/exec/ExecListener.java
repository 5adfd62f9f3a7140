package dev.execserver.client.exec;

import dev.execserver.client.error.ConnectionLostException;
import dev.execserver.client.rpc.LinkListener;
import dev.execserver.protocol.process.ExecApprovalAnswer;
import dev.execserver.protocol.process.ExecApprovalClosedNotification;
import dev.execserver.protocol.process.ExecApprovalRequest;
import dev.execserver.protocol.process.ExecDecidedNotification;
import dev.execserver.protocol.process.ExecEndedNotification;
import dev.execserver.protocol.process.ProcessMethodNames;
import dev.execserver.protocol.rpc.JsonWritable;
import dev.execserver.protocol.rpc.Notification;
import dev.execserver.protocol.rpc.Request;
import java.util.Optional;
import java.util.function.Supplier;

/** Passes questions and reports about programs from a link to {@link ExecApprovals}. Immutable. */
public final class ExecListener implements LinkListener {

    private static final System.Logger LOG = System.getLogger(ExecListener.class.getName());

    private final ExecApprovals approvals;

    public ExecListener(ExecApprovals approvals) {
        this.approvals = approvals;
    }

    @Override
    public Optional<JsonWritable> answer(Request request) {
        if (!request.method().equals(ProcessMethodNames.EXEC_APPROVAL)) {
            return Optional.empty();
        }
        return Optional.of(decide(ExecApprovalRequest.read(request.params())));
    }

    private ExecApprovalAnswer decide(ExecApprovalRequest question) {
        try {
            return approvals.decide(question);
        } catch (RuntimeException e) {
            LOG.log(System.Logger.Level.WARNING, "a handler of approvals failed; the program is denied", e);
            return ExecApprovals.DENY.decide(question);
        }
    }

    @Override
    public void notified(Notification notification) {
        switch (notification.method()) {
            case ProcessMethodNames.EXEC_DECIDED ->
                approvals.reported(ExecDecidedNotification.read(notification.params()));
            case ProcessMethodNames.EXEC_APPROVAL_CLOSED ->
                approvals.closed(ExecApprovalClosedNotification.read(notification.params()));
            case ProcessMethodNames.EXEC_ENDED -> approvals.reported(ExecEndedNotification.read(notification.params()));
            default -> {}
        }
    }

    @Override
    public void interrupted() {
        // The server repeats its questions.
    }

    @Override
    public void resumed() {
        // Nothing was missed: reports wait for their client.
    }

    @Override
    public void ended(Supplier<ConnectionLostException> why) {
        // No more questions come.
    }
}
