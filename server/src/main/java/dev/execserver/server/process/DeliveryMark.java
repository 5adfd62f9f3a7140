package dev.execserver.server.process;

/**
 * Position of one client in the output of one process: what was delivered, and what is to be pushed next.
 *
 * <p>While a connection is attached and takes pushed output, an event is delivered when it was written to the socket
 * completely. For a client that only polls, only its {@code afterSeq} moves the mark. When the connection is lost, what
 * was written last may never have arrived (it lay in the sockets' buffers), so the mark steps back by
 * {@link #IN_DOUBT_BYTES}.
 *
 * <p>After a resume pushing goes on behind the last event that was written to any connection, in the order of the numbers.
 * The answer to the client's first read moves it on. Until then, or until the client turns out to be one that only listens,
 * what it missed counts as not delivered.
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
    private long answeredThrough;
    private boolean endAnswered;
    private boolean catchingUp;

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

    /** Another connection takes over. Nothing is pushed before it has read, or had the time to. */
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
     * A read was answered with everything up to this number. Returns true if that was the first read after a resume.
     *
     * @param end true when the answer told the close
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

    /** The resumed connection had its time to read what it missed. */
    void stopHolding() {
        gate.throttle();
    }

    /** The resumed connection had its time to merge what it read. */
    void openGate() {
        gate.open();
    }

    /** The client has asked for no read in time: from now on it counts as one that only listens. */
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

    void pushed(long seq) {
        pushedThrough = Math.max(pushedThrough, seq);
    }

    /** The number of the next event to push; 0 when there is none, or when it has to wait. */
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

    /** Returns true if everything that is pushed was written to a connection. */
    boolean pushedAll(EntryRing entries) {
        return pushedThrough >= entries.nextSeq() - 1;
    }

    /** Returns true if the client can learn of output by reading only. */
    boolean mustRead() {
        return !outputPushed;
    }

    /** Returns true if no read was answered with the last output and the close since the last resume. */
    boolean unread(long lastOutputSeq) {
        return !endAnswered || answeredThrough < lastOutputSeq;
    }

    /** Events up to this number were delivered: they may be dropped when a bound is reached. */
    long deliveredThrough() {
        return pushing() ? Math.max(pushedThrough, deliveredBefore()) : deliveredBefore();
    }

    private long deliveredBefore() {
        return Math.max(acknowledgedThrough, safeThrough);
    }
}
