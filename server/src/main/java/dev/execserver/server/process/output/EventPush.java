package dev.execserver.server.process.output;

import dev.execserver.protocol.rpc.MessageBuffer;
import dev.execserver.server.outbound.Outbound;
import dev.execserver.server.outbound.PushSource;
import java.util.Optional;

/**
 * Pushes the events of one process to one connection. Every attachment has its own object: a connection that has lost
 * its session gets no more events from here, even while it is still writing.
 *
 * <p>The thread that writes to the connection calls {@link #encodeNext} and {@link #written}, one thread at a time.
 */
final class EventPush implements PushSource {

    private final OutputLog log;
    private final EventEncoder encoder;
    private final Outbound connection;
    private final int attachment;
    private long lastEncodedSeq;

    /** @param attachment the number that {@link OutputLog#attach} or {@link OutputLog#resume} returned */
    EventPush(OutputLog log, EventEncoder encoder, Outbound connection, int attachment) {
        this.log = log;
        this.encoder = encoder;
        this.connection = connection;
        this.attachment = attachment;
    }

    /** Announces events, so that a thread that writes to the connection takes them along. */
    void announce() {
        if (log.hasEventToPush(attachment)) {
            connection.announce(this);
        }
    }

    /** Sends waiting events. May wait for the socket. */
    void push() {
        if (log.hasEventToPush(attachment)) {
            connection.schedule(this);
        }
    }

    boolean goesTo(Outbound other) {
        return connection == other;
    }

    /** Reports a read that was answered up to this number. Returns true if it was the first read after a resume. */
    boolean caughtUp(long seq, boolean end) {
        boolean awaited = log.caughtUp(attachment, seq, end);
        push();
        return awaited;
    }

    /** Called when the client's time for a first read is over. */
    void stopHolding() {
        log.pace(attachment, DeliveryMark::stopHolding);
        push();
    }

    /** Called when the client has read no process, or not this one, in time. */
    void startListening() {
        log.pace(attachment, DeliveryMark::startListening);
        push();
    }

    /** Called when the client's time to merge the missed events is over. */
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
        log.pushed(lastEncodedSeq);
    }
}
