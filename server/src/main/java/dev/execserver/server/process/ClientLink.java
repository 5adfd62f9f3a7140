package dev.execserver.server.process;

import dev.execserver.protocol.process.ReadResult;
import dev.execserver.server.outbound.Outbound;
import java.time.Duration;
import java.util.Optional;

/**
 * The events of one process on their way to the client, across connections: which one takes them, and how fast after a
 * resume.
 *
 * <p>Attaching and detaching is done under the lock of the session; the clock, pumps and request threads push. {@code events}
 * is volatile and written once an attachment.
 */
final class ClientLink {

    /** After a resume, the time that the client has for its first read before events are pushed all the same. */
    static final Duration CATCH_UP = Duration.ofSeconds(1);

    /** After a resume, the time after which a client that has asked for no read of any process only listens. */
    static final Duration LISTENER = Duration.ofSeconds(2);

    /** After the first read, the time during which no more is pushed than the client can park. */
    private static final Duration MERGE = Duration.ofSeconds(3);

    /** After a resume, the time in which a client that reads must have read each process: the real one gives up then. */
    private static final Duration RECOVERY = Duration.ofSeconds(45);

    private final OutputLog log;
    private final EventEncoder encoder;
    private final ResumePlans plans;
    private volatile EventPush events;

    ClientLink(OutputLog log, EventEncoder encoder, ResumePlans plans) {
        this.log = log;
        this.encoder = encoder;
        this.plans = plans;
    }

    /** The connection that started the process is told its events; {@link #push} starts that. */
    void attach(Outbound connection) {
        events = new EventPush(log, encoder, connection, log.attach());
    }

    /** Another connection has taken over the session. */
    void resume(Outbound connection, Resume resume) {
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

    /** A read of this connection was answered: if it is the one that resumed, it may be told what comes after that. */
    void caughtUp(Outbound connection, ReadResult answer) {
        EventPush current = events;
        if (current != null && current.goesTo(connection) && current.caughtUp(answer.nextSeq() - 1, answer.closed())) {
            plans.add(MERGE, current::openGate);
        }
    }

    void detach() {
        events = null;
        plans.cancel();
        log.detach();
    }

    /** Whoever writes next takes along what there is to send. */
    void announce() {
        current().ifPresent(EventPush::announce);
    }

    /** Sends what there is to send, if anybody is there to take it. */
    void push() {
        current().ifPresent(EventPush::push);
    }

    /** The server ends: a client that has resumed a moment ago is not spared any more. */
    void hurry() {
        current().ifPresent(push -> {
            push.startListening();
            push.openGate();
        });
    }

    private Optional<EventPush> current() {
        return Optional.ofNullable(events);
    }
}
