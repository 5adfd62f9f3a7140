package dev.execserver.server.process;

/**
 * How far the output of one process was delivered, and to whom.
 *
 * <p>While a connection is attached and takes pushed output, an event is delivered when it was written to the socket
 * completely. For a client that only polls, only its {@code afterSeq} moves the mark. When the connection is lost, what
 * was written last may never have arrived (it lay in the sockets' buffers), so the mark steps back by
 * {@link #IN_DOUBT_BYTES}. Not thread safe: guarded by the lock of {@link OutputLog}.
 */
final class DeliveryMark {

    /** More than a kernel keeps in the two socket buffers of a connection (tcp(7): 4 MiB and 6 MiB at most by default). */
    static final long IN_DOUBT_BYTES = 12 * 1024 * 1024L;

    private final boolean outputPushed;
    private boolean attached;
    private long takenThrough;
    private long pushedThrough;
    private long acknowledgedThrough;
    private long safeThrough;

    /** @param outputPushed false for a process whose client asked not to be sent its output */
    DeliveryMark(boolean outputPushed) {
        this.outputPushed = outputPushed;
    }

    /** True when output goes to a connection as it comes. */
    boolean pushing() {
        return attached && outputPushed;
    }

    void attach(long afterSeq) {
        attached = true;
        takenThrough = afterSeq;
        pushedThrough = afterSeq;
    }

    void detach(EntryRing entries) {
        if (outputPushed && attached) {
            safeThrough = Math.max(acknowledgedThrough, stepBack(entries));
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

    void taken(long seq) {
        takenThrough = seq;
    }

    void pushed(long seq) {
        pushedThrough = Math.max(pushedThrough, seq);
    }

    /** The number of the next event to push; 0 when there is none. */
    long nextToPush(EntryRing entries) {
        if (!attached) {
            return 0;
        }
        long seq = Math.max(takenThrough + 1, entries.firstSeq());
        while (seq < entries.nextSeq() && !outputPushed && entries.kindOf(seq).output()) {
            seq++;
        }
        return seq < entries.nextSeq() ? seq : 0;
    }

    /** Events up to this number were delivered: they may be dropped when a bound is reached. */
    long deliveredThrough() {
        return pushing() ? pushedThrough : Math.max(acknowledgedThrough, safeThrough);
    }
}
