package dev.execserver.server.process;

/**
 * How far the output of one process was delivered, and what is to be pushed next.
 *
 * <p>While a connection is attached and takes pushed output, an event is delivered when it was written to the socket
 * completely. For a client that only polls, only its {@code afterSeq} moves the mark. When the connection is lost, what
 * was written last may never have arrived (it lay in the sockets' buffers), so the mark steps back by
 * {@link #IN_DOUBT_BYTES}. After a resume the client reads what it missed; until then that counts as not delivered.
 *
 * <p>Not thread safe: guarded by the lock of {@link OutputLog}.
 */
final class DeliveryMark {

    /** More than a kernel keeps in the two socket buffers of a connection (tcp(7): 4 MiB and 6 MiB at most by default). */
    static final long IN_DOUBT_BYTES = 12 * 1024 * 1024L;

    private final boolean outputPushed;
    private final PushGate gate = new PushGate();
    private boolean attached;
    private long takenThrough;
    private long pushedThrough;
    private long acknowledgedThrough;
    private long safeThrough;
    private long missedThrough;

    /** @param outputPushed false for a process whose client asked not to be sent its output */
    DeliveryMark(boolean outputPushed) {
        this.outputPushed = outputPushed;
    }

    boolean attached() {
        return attached;
    }

    /** True when output goes to a connection as it comes, and that connection has missed nothing. */
    boolean pushing() {
        return attached && outputPushed && deliveredBefore() >= missedThrough;
    }

    /** The connection that started the process takes its events from the first one. */
    void attach() {
        attached = true;
        gate.open();
    }

    /** Another connection takes over; it reads what came up to now, events after that are pushed to it. */
    void resume(EntryRing entries) {
        attached = true;
        missedThrough = entries.nextSeq() - 1;
        takenThrough = missedThrough;
        gate.hold();
    }

    /** The resumed connection was given everything up to this number. */
    void caughtUp(long seq) {
        if (gate.held()) {
            missedThrough = 0;
            takenThrough = Math.max(seq, deliveredBefore());
            pushedThrough = takenThrough;
            gate.throttle();
        }
    }

    /** The resumed connection had its time to read what it missed. */
    void stopHolding() {
        if (gate.held()) {
            gate.throttle();
        }
    }

    void openGate() {
        gate.open();
    }

    void detach(EntryRing entries) {
        if (pushing()) {
            safeThrough = Math.max(safeThrough, stepBack(entries));
        }
        attached = false;
    }

    private long stepBack(EntryRing entries) {
        long seq = pushedThrough;
        long end = entries.startOf(seq + 1);
        while (seq >= entries.firstSeq() && end - entries.startOf(seq) < IN_DOUBT_BYTES) {
            seq--;
        }
        return seq;
    }

    void acknowledge(long seq) {
        acknowledgedThrough = Math.max(acknowledgedThrough, seq);
    }

    void taken(long seq, int bytes) {
        takenThrough = seq;
        gate.passed(bytes);
    }

    void pushed(long seq) {
        pushedThrough = Math.max(pushedThrough, seq);
    }

    /** The number of the next event to push; 0 when there is none, or when it has to wait. */
    long nextToPush(EntryRing entries) {
        if (!attached) {
            return 0;
        }
        long seq = Math.max(takenThrough + 1, entries.firstSeq());
        while (seq < entries.nextSeq() && !outputPushed && entries.kindOf(seq).output()) {
            seq++;
        }
        return seq < entries.nextSeq() && gate.admits(entries.lengthOf(seq)) ? seq : 0;
    }

    /** Events up to this number were delivered: they may be dropped when a bound is reached. */
    long deliveredThrough() {
        return pushing() ? Math.max(pushedThrough, deliveredBefore()) : deliveredBefore();
    }

    private long deliveredBefore() {
        return Math.max(acknowledgedThrough, safeThrough);
    }
}
