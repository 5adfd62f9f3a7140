package dev.execserver.cli.client;

import dev.execserver.client.exec.ExecApprovals;
import dev.execserver.protocol.process.ExecApprovalAnswer;
import dev.execserver.protocol.process.ExecApprovalClosedNotification;
import dev.execserver.protocol.process.ExecApprovalRequest;
import dev.execserver.protocol.process.ExecReport;

/** Approvals of a connection that is made before it is known who gives them. Any thread. */
final class LaterApprovals implements ExecApprovals {
    private volatile ExecApprovals handler = DENY;

    void set(ExecApprovals known) {
        handler = known;
    }

    @Override
    public ExecApprovalAnswer decide(ExecApprovalRequest question) {
        return handler.decide(question);
    }

    @Override
    public void closed(ExecApprovalClosedNotification question) {
        handler.closed(question);
    }

    @Override
    public void reported(ExecReport report) {
        handler.reported(report);
    }
}
