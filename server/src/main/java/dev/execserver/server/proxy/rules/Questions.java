package dev.execserver.server.proxy.rules;

import dev.execserver.protocol.net.PolicyAnswer;
import dev.execserver.protocol.net.PolicyRequest;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Semaphore;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The questions of one process to its client, limited in number. A question without room is refused at once. */
public final class Questions {

    private static final Logger LOG = LoggerFactory.getLogger(Questions.class);

    private final String processId;
    private final PolicyClient client;
    private final Semaphore room;

    public Questions(String processId, PolicyClient client, int atOnce) {
        this.processId = processId;
        this.client = client;
        this.room = new Semaphore(atOnce);
    }

    /** Asks about a target. Returns empty if the client allows it. Every failure counts as a refusal. */
    Optional<Refusal> ask(ProxyDestination target, Duration limit) throws InterruptedException {
        if (!room.tryAcquire()) {
            LOG.warn("process {} has too many questions about hosts open; refused without asking", processId);
            return Optional.of(Refusal.byClient("deny", Refusal.NOT_ALLOWED));
        }
        try {
            return client.ask(new PolicyRequest(processId, target.protocol(), target.host(), target.port()), limit)
                    .map(Questions::refusal)
                    .orElseGet(() -> Optional.of(Refusal.byClient("deny", Refusal.NOT_ALLOWED)));
        } finally {
            room.release();
        }
    }

    private static Optional<Refusal> refusal(PolicyAnswer answer) {
        return switch (answer) {
            case PolicyAnswer.Allow() -> Optional.empty();
            case PolicyAnswer.Deny(String reason) -> Optional.of(Refusal.byClient("deny", reason));
            case PolicyAnswer.Ask(String reason) -> Optional.of(Refusal.byClient("ask", reason));
        };
    }
}
