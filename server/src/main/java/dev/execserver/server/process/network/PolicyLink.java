package dev.execserver.server.process.network;

import dev.execserver.protocol.net.NetMethodNames;
import dev.execserver.protocol.net.PolicyAnswer;
import dev.execserver.protocol.net.PolicyDecision;
import dev.execserver.protocol.net.PolicyRequest;
import dev.execserver.protocol.rpc.Dialect;
import dev.execserver.server.outbound.Outbound;
import dev.execserver.server.process.client.ClientQuestions;
import dev.execserver.server.process.client.ClientRequests;
import dev.execserver.server.process.client.DecisionQueue;
import dev.execserver.server.proxy.rules.PolicyClient;
import java.time.Duration;
import java.util.Optional;

/**
 * Connects the proxy of one process with the client of the session. Asks nothing before the start of the process was
 * answered.
 *
 * <p>Threads of the proxy ask, the thread that ends the process closes. No locks of its own.
 */
final class PolicyLink implements PolicyClient {

    private final ClientQuestions questions;
    private final DecisionQueue decisions;

    PolicyLink(String processId, ClientRequests client) {
        questions = new ClientQuestions(client);
        decisions = new DecisionQueue(processId);
    }

    @Override
    public Optional<PolicyAnswer> ask(PolicyRequest request, Duration limit) throws InterruptedException {
        return questions.ask(
                NetMethodNames.POLICY_REQUEST, request, limit, answer -> PolicyAnswer.read(answer, Dialect.OPEN));
    }

    @Override
    public void decided(PolicyDecision decision) {
        decisions.add(NetMethodNames.POLICY_DECISION, decision);
    }

    /** Called when the start was answered or another connection has resumed the session. */
    void attach(Outbound connection) {
        decisions.attach(connection);
        questions.announce();
    }

    void detach() {
        decisions.detach();
    }

    /** Ends all open questions, because the process is over. */
    void close() {
        questions.close();
    }
}
