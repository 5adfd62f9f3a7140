package dev.execserver.server.process;

import dev.execserver.protocol.rpc.MessageBuffer;
import dev.execserver.server.outbound.Outbound;
import dev.execserver.server.outbound.PushSource;
import java.util.Optional;

/**
 * The events of one process on their way to one connection. Every attachment has its own: a connection that has lost its
 * session finds nothing more here, even while it is still writing.
 *
 * <p>{@link #encodeNext} and {@link #written} are called by the connection's writing thread, one at a time.
 */
final class EventPush implements PushSource {

    private final OutputLog log;
    private final EventEncoder encoder;
    private final Outbound connection;
    private final int attachment;
    private long lastEncodedSeq;

    /** @param attachment what {@link OutputLog#attach} or {@link OutputLog#resume} returned */
    EventPush(OutputLog log, EventEncoder encoder, Outbound connection, int attachment) {
        this.log = log;
        this.encoder = encoder;
        this.connection = connection;
        this.attachment = attachment;
    }

    /** Whoever writes next takes along what there is to send. */
    void announce() {
        if (log.hasEventToPush(attachment)) {
            connection.announce(this);
        }
    }

    /** Sends what there is to send. The caller may have to wait for the socket. */
    void push() {
        if (log.hasEventToPush(attachment)) {
            connection.schedule(this);
        }
    }

    boolean goesTo(Outbound other) {
        return connection == other;
    }

    /** The connection was given everything up to this number. Returns true if that was its first read after a resume. */
    boolean caughtUp(long seq, boolean end) {
        boolean awaited = log.caughtUp(attachment, seq, end);
        push();
        return awaited;
    }

    /** The connection had its time to ask for what it missed. */
    void stopHolding() {
        log.pace(attachment, DeliveryMark::stopHolding);
        push();
    }

    /** The connection asks for no reads, or not for those of this process. */
    void startListening() {
        log.pace(attachment, DeliveryMark::startListening);
        push();
    }

    /** The connection had its time to merge what it missed. */
    void openGate() {
        log.pace(attachment, DeliveryMark::openGate);
        push();
    }

    @Override
    public boolean encodeNext(MessageBuffer out) {
        Optional<OutputEvent> next = log.nextToPush(attachment);
        next.ifPresent(event -> {
            lastEncodedSeq = event.seq();
            encoder.encode(event, log.exit(), log.closeReason(), out);
        });
        return next.isPresent();
    }

    @Override
    public void written() {
        log.pushed(attachment, lastEncodedSeq);
    }
}
