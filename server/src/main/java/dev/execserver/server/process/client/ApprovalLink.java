package dev.execserver.server.process.client;

import dev.execserver.protocol.process.ExecApprovalAnswer;
import dev.execserver.protocol.process.ExecApprovalRequest;
import dev.execserver.protocol.process.ProcessMethodNames;
import dev.execserver.protocol.rpc.JsonWritable;
import dev.execserver.server.exec.ApprovalClient;
import dev.execserver.server.outbound.Outbound;
import java.time.Duration;
import java.util.Optional;

/**
 * Connects the decisions about the programs of one process with the client of the session.
 *
 * <p>The starting request and threads of the interception ask, the thread that ends the process closes. No locks of its own.
 */
public final class ApprovalLink implements ApprovalClient {

    private final ClientQuestions questions;
    private final DecisionQueue decisions;

    public ApprovalLink(String processId, ClientRequests client) {
        questions = new ClientQuestions(client);
        decisions = new DecisionQueue(processId);
    }

    @Override
    public Optional<ExecApprovalAnswer> ask(ExecApprovalRequest question, boolean own, Duration limit)
            throws InterruptedException {
        return own
                ? questions.askAtOnce(ProcessMethodNames.EXEC_APPROVAL, question, limit, ExecApprovalAnswer::read)
                : questions.ask(ProcessMethodNames.EXEC_APPROVAL, question, limit, ExecApprovalAnswer::read);
    }

    @Override
    public void report(String method, JsonWritable params) {
        decisions.add(method, params);
    }

    /** Called when the start was answered or another connection has resumed the session. */
    public void attach(Outbound connection) {
        decisions.attach(connection);
        questions.announce();
    }

    public void detach() {
        decisions.detach();
    }

    /** Ends all open questions, because nobody may answer them any more. */
    public void close() {
        questions.close();
    }
}
