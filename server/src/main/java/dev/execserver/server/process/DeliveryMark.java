package dev.execserver.server.process;

/**
 * How far the output of one process was delivered, and what is to be pushed next.
 *
 * <p>While a connection is attached and takes pushed output, an event is delivered when it was written to the socket
 * completely. For a client that only polls, only its {@code afterSeq} moves the mark. When the connection is lost, what
 * was written last may never have arrived (it lay in the sockets' buffers), so the mark steps back by
 * {@link #IN_DOUBT_BYTES}. After a resume the client reads what it missed; until then that counts as not delivered. The
 * answer to that read may end before the events that are pushed because the client took its time: then what lies between
 * is pushed next, and those events are not pushed again.
 *
 * <p>Not thread safe: guarded by the lock of {@link OutputLog}.
 */
final class DeliveryMark {

    /**
     * More output than fits as Base64 into the two socket buffers of a connection: tcp_wmem lets the sender's kernel keep
     * 4 MiB, tcp_rmem the receiver's 32 MiB (6 MiB in older kernels), see tcp(7).
     */
    static final long IN_DOUBT_BYTES = 28 * 1024 * 1024L;

    private final boolean outputPushed;
    private final boolean terminal;
    private final PushGate gate = new PushGate();
    private boolean attached;
    private long takenThrough;
    private long pushedThrough;
    private long acknowledgedThrough;
    private long safeThrough;
    private long missedThrough;
    private boolean catchingUp;
    /** Events that were pushed before what lies in front of them; none when the second number is smaller. */
    private long firstEarly = 1;

    private long lastEarly;

    /**
     * With nothing delivered.
     *
     * @param outputPushed false for a process whose client asked not to be sent its output
     * @param terminal whether the process runs on a terminal
     */
    DeliveryMark(boolean outputPushed, boolean terminal) {
        this.outputPushed = outputPushed;
        this.terminal = terminal;
    }

    boolean attached() {
        return attached;
    }

    /** True when output goes to a connection as it comes, and that connection has missed nothing. */
    boolean pushing() {
        return attached && outputPushed && deliveredBefore() >= missedThrough;
    }

    /**
     * Returns true while a client takes the output as it comes: pushed, or read from a terminal. Somebody looks at a terminal and
     * types there, and what a key does is seen behind everything that was kept before it.
     */
    boolean followed() {
        return pushing() || attached && terminal && !outputPushed;
    }

    /** The connection that started the process takes its events from the first one. */
    void attach() {
        attached = true;
        gate.open();
    }

    /** Another connection takes over; it reads what came up to now, events after that are pushed to it. */
    void resume(EntryRing entries) {
        attached = true;
        catchingUp = true;
        missedThrough = entries.nextSeq() - 1;
        takenThrough = missedThrough;
        lastEarly = 0;
        gate.hold();
    }

    /** The connection was given everything up to this number. Returns whether it has resumed and that was its first read. */
    boolean caughtUp(long seq) {
        if (!catchingUp) {
            return false;
        }
        if (seq < missedThrough) {
            firstEarly = missedThrough + 1;
            lastEarly = takenThrough;
            takenThrough = seq;
        } else {
            takenThrough = Math.max(takenThrough, seq);
        }
        catchingUp = false;
        missedThrough = 0;
        pushedThrough = seq;
        gate.throttle();
        return true;
    }

    /** The resumed connection had its time to read what it missed. */
    void stopHolding() {
        gate.throttle();
    }

    /** The resumed connection had its time to merge what it read. */
    void openGate() {
        gate.open();
    }

    /** A connection that has not read by now never will. */
    void stopWaiting() {
        if (catchingUp) {
            gate.open();
        }
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
        if (seq <= takenThrough) { // not one of those that were early
            pushedThrough = Math.max(pushedThrough, seq);
        }
    }

    /** The number of the next event to push; 0 when there is none, or when it has to wait. */
    long nextToPush(EntryRing entries) {
        if (!attached) {
            return 0;
        }
        long seq = Math.max(takenThrough + 1, entries.firstSeq());
        while (seq < entries.nextSeq()
                && (early(seq) || (!outputPushed && entries.kindOf(seq).output()))) {
            seq++;
        }
        return seq < entries.nextSeq() && gate.admits(entries.lengthOf(seq)) ? seq : 0;
    }

    private boolean early(long seq) {
        return seq >= firstEarly && seq <= lastEarly;
    }

    /** Events up to this number were delivered: they may be dropped when a bound is reached. */
    long deliveredThrough() {
        return pushing() ? Math.max(pushedThrough, deliveredBefore()) : deliveredBefore();
    }

    private long deliveredBefore() {
        return Math.max(acknowledgedThrough, safeThrough);
    }
}
