package dev.execserver.server.process.output;

import dev.execserver.protocol.process.ReadResult;
import dev.execserver.server.outbound.Outbound;
import java.time.Duration;
import java.util.Optional;

/**
 * Delivery of one process's events to the client, across connections: which connection takes them, and how fast after a
 * resume.
 *
 * <p>The session attaches and detaches under its lock; the clock, pumps and request threads push. {@code events} is
 * volatile and written once for each attachment.
 */
public final class ClientLink {

    /** Time after a resume that the client has for its first read. Then events are pushed without one. */
    static final Duration CATCH_UP = Duration.ofSeconds(1);

    /**
     * Time after a resume after which a client that has read no process counts as one that only takes pushed events.
     */
    static final Duration LISTENER = Duration.ofSeconds(2);

    /** Time after the first read during which pushed events stay below the number that the client can hold back. */
    private static final Duration MERGE = Duration.ofSeconds(3);

    /** Time after a resume in which a client that reads must have read each process. The real client gives up then. */
    private static final Duration RECOVERY = Duration.ofSeconds(45);

    private final OutputLog log;
    private final EventEncoder encoder;
    private final ResumePlans plans;
    private volatile EventPush events;

    public ClientLink(OutputLog log, EventEncoder encoder, ResumePlans plans) {
        this.log = log;
        this.encoder = encoder;
        this.plans = plans;
    }

    /** Attaches the connection that started the process. {@link #push} begins to send events. */
    public void attach(Outbound connection) {
        events = new EventPush(log, encoder, connection, log.attach());
    }

    /** Attaches the connection that has taken over the session. */
    public void resume(Outbound connection, AttachmentReads resume) {
        EventPush resumed = new EventPush(log, encoder, connection, log.resume());
        events = resumed;
        plans.cancel();
        plans.add(CATCH_UP, resumed::stopHolding);
        plans.add(LISTENER, () -> {
            if (!resume.reading()) {
                resumed.startListening();
            }
        });
        plans.add(RECOVERY, resumed::startListening);
    }

    /** Reports the answer of a read. If this connection resumed the session, it may now get the events that follow. */
    public void caughtUp(Outbound connection, ReadResult answer) {
        EventPush current = events;
        if (current != null && current.goesTo(connection) && current.caughtUp(answer.nextSeq() - 1, answer.closed())) {
            plans.add(MERGE, current::openGate);
        }
    }

    public void detach() {
        events = null;
        plans.cancel();
        log.detach();
    }

    /** Announces events, so that a thread that writes to the connection takes them along. */
    public void announce() {
        current().ifPresent(EventPush::announce);
    }

    /** Sends waiting events if a connection is attached. */
    public void push() {
        current().ifPresent(EventPush::push);
    }

    /** Ends the limits on pushing after a resume, because the server stops. */
    public void hurry() {
        current().ifPresent(push -> {
            push.startListening();
            push.openGate();
        });
    }

    private Optional<EventPush> current() {
        return Optional.ofNullable(events);
    }
}
