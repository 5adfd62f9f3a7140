package dev.execserver.server.process.output;

/**
 * Position of one client in the output of one process: the last delivered event and the next one to push.
 *
 * <p>While a connection is attached and takes pushed output, an event is delivered once it was completely written to
 * the socket. For a client that only polls, only its {@code afterSeq} moves the mark. When the connection is lost, the
 * last written events may still lie in socket buffers, so the mark steps back by {@link #IN_DOUBT_BYTES}.
 *
 * <p>After a resume, pushing continues behind the last event that was written to any connection, in order of the
 * sequence numbers. The answer to the client's first read moves it on. Until then, or until the client counts as one
 * that only takes pushed events, the missed events count as undelivered. Not thread safe: guarded by the lock of
 * {@link OutputLog}.
 */
final class DeliveryMark {

    /**
     * More output than the two socket buffers of a connection hold as Base64. The kernel of the sender may keep 4 MiB
     * (tcp_wmem), that of the receiver 32 MiB (tcp_rmem; 6 MiB in older kernels), see tcp(7).
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
    private long answeredThrough;
    private boolean endAnswered;
    private boolean catchingUp;

    /**
     * Makes a mark with nothing delivered.
     *
     * @param outputPushed false if the client asked not to be sent the output
     * @param terminal true if the process runs on a terminal
     */
    DeliveryMark(boolean outputPushed, boolean terminal) {
        this.outputPushed = outputPushed;
        this.terminal = terminal;
    }

    boolean attached() {
        return attached;
    }

    /** Returns true if output is pushed to a connection that has missed nothing. */
    boolean pushing() {
        return attached && outputPushed && deliveredBefore() >= missedThrough;
    }

    /**
     * Returns true if a client takes the output as it comes: pushed, or read from a terminal. On a terminal a user
     * types and waits for the echo, which would otherwise follow all output that was kept before it.
     */
    boolean followed() {
        return pushing() || attached && terminal && !outputPushed;
    }

    /** Attaches the connection that started the process. It takes events from the first one on. */
    void attach() {
        attached = true;
        gate.open();
    }

    /**
     * Attaches the connection that has taken over the session. Pushes nothing before it has read or its time to read is
     * over.
     */
    void resume(EntryRing entries) {
        attached = true;
        catchingUp = true;
        missedThrough = entries.nextSeq() - 1;
        takenThrough = pushedThrough;
        answeredThrough = 0;
        endAnswered = false;
        gate.hold();
    }

    /**
     * Reports a read that was answered up to this number. Returns true if it was the first read after a resume.
     *
     * @param end true if the answer reported the close
     */
    boolean caughtUp(long seq, boolean end) {
        answeredThrough = Math.max(answeredThrough, seq);
        endAnswered |= end;
        if (!catchingUp) {
            return false;
        }
        takenThrough = Math.max(takenThrough, seq);
        pushedThrough = Math.max(pushedThrough, seq);
        catchingUp = false;
        missedThrough = 0;
        gate.throttle();
        return true;
    }

    /** Ends the hold after a resume: the time to read the missed events is over. */
    void stopHolding() {
        gate.throttle();
    }

    /** Ends the limit on pushing: the client has had time to merge the events that it read. */
    void openGate() {
        gate.open();
    }

    /**
     * Stops waiting for a first read: the client has sent none in time and counts as one that only takes pushed events.
     */
    void startListening() {
        if (catchingUp) {
            catchingUp = false;
            missedThrough = 0;
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

    /** Reports what was written to any connection. It is not pushed again. */
    void pushed(long seq) {
        pushedThrough = Math.max(pushedThrough, seq);
        takenThrough = Math.max(takenThrough, seq);
    }

    /** Returns the number of the next event to push, or 0 if there is none or it must wait. */
    long nextToPush(EntryRing entries) {
        if (!attached) {
            return 0;
        }
        long seq = Math.max(takenThrough + 1, entries.firstSeq());
        while (!outputPushed && seq < entries.nextSeq() && entries.kindOf(seq).output()) {
            seq++;
        }
        return seq < entries.nextSeq() && gate.admits(entries.lengthOf(seq)) ? seq : 0;
    }

    /** Returns true if all events that are pushed were written to a connection. */
    boolean pushedAll(EntryRing entries) {
        return pushedThrough >= entries.nextSeq() - 1;
    }

    /** Returns true if the client gets output only by reading. */
    boolean mustRead() {
        return !outputPushed;
    }

    /** Returns true if no read since the last resume has returned the last output and the close. */
    boolean unread(long lastOutputSeq) {
        return !endAnswered || answeredThrough < lastOutputSeq;
    }

    /** Returns the number up to which events were delivered. They may be dropped when a limit is reached. */
    long deliveredThrough() {
        return pushing() ? Math.max(pushedThrough, deliveredBefore()) : deliveredBefore();
    }

    private long deliveredBefore() {
        return Math.max(acknowledgedThrough, safeThrough);
    }
}
