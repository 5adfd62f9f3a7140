package dev.execserver.server.mcp.http;

import dev.execserver.protocol.rpc.MessageBuffer;
import dev.execserver.server.mcp.Peer;
import dev.execserver.server.transport.mcp.EventSource.Event;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Messages to an MCP client that answer one HTTP request, or none: numbered, and kept for a client that was cut off. Answers and questions
 * are always kept; of notifications about progress only what a reader takes. Any thread sends, one reads; {@code lock} guards all fields.
 */
final class EventStream implements Peer {
    /** Bytes of messages that a reader has taken and that are kept. */
    static final long MAX_KEPT_BYTES = 2L * 1024 * 1024;

    /** Bytes of waiting messages above which progress is left out. */
    static final long MAX_WAITING_BYTES = 1024 * 1024;

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private final int number;
    private final KeptMessages share;
    private final Deque<Kept> messages = new ArrayDeque<>();
    private final boolean endless;
    private long lastSeq;
    private long takenSeq;
    private long keptBytes;
    private long waitingBytes;
    private int openRequests;
    private boolean ended;
    private int readers;
    private boolean attached;
    private boolean forgotten;

    private record Kept(long seq, MessageBuffer message) {}

    /**
     * @param openRequests requests that are to be answered on the stream
     * @param share room for the messages
     * @param endless true for the stream of messages that answer none
     */
    EventStream(int number, KeptMessages share, int openRequests, boolean endless) {
        this.number = number;
        this.share = share;
        this.openRequests = openRequests;
        this.endless = endless;
    }

    int number() {
        return number;
    }

    @Override
    public void send(MessageBuffer message) {
        share.add(message.length());
        add(message);
    }

    @Override
    public boolean trySend(MessageBuffer answer) {
        boolean room = share.tryTake(answer.length());
        if (room) {
            add(answer);
        }
        return room;
    }

    /** Adds a message whose room is taken. */
    private void add(MessageBuffer message) {
        lock.lock();
        try {
            if (ended) {
                share.release(message.length());
            } else {
                messages.add(new Kept(++lastSeq, message));
                keptBytes += message.length();
                waitingBytes += message.length();
                changed.signalAll();
            }
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void sendProgress(MessageBuffer message) {
        lock.lock();
        try {
            if (attached && waitingBytes < MAX_WAITING_BYTES) {
                send(message);
            }
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void requestEnded() {
        lock.lock();
        try {
            openRequests--;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /** Returns true if no message comes any more. */
    boolean complete() {
        lock.lock();
        try {
            return ended || (!endless && openRequests == 0);
        } finally {
            lock.unlock();
        }
    }

    /** Returns the bytes of the messages that are kept. */
    long keptBytes() {
        lock.lock();
        try {
            return keptBytes;
        } finally {
            lock.unlock();
        }
    }

    Optional<MessageBuffer> single() {
        lock.lock();
        try {
            if (!complete() || messages.size() != 1) {
                return Optional.empty();
            }
            Kept answer = messages.getFirst();
            taken(answer);
            return Optional.of(answer.message());
        } finally {
            lock.unlock();
        }
    }

    /** Makes the caller the reader. Returns its number; the reader before gets nothing more. */
    int attach() {
        lock.lock();
        try {
            attached = true;
            changed.signalAll();
            return ++readers;
        } finally {
            lock.unlock();
        }
    }

    void detach(int reader) {
        lock.lock();
        try {
            attached &= readers != reader;
            drop();
        } finally {
            lock.unlock();
        }
    }

    /** Returns the first message behind {@code seq}; waits for it. */
    Optional<Event> after(long seq, int reader, long nanos) throws InterruptedException {
        lock.lock();
        try {
            long left = nanos;
            while (left > 0 && lastSeq <= seq && !complete() && readers == reader) {
                left = changed.awaitNanos(left);
            }
            if (readers != reader) {
                return Optional.empty();
            }
            Optional<Kept> next =
                    messages.stream().filter(kept -> kept.seq() > seq).findFirst();
            next.ifPresent(this::taken);
            return next.map(kept -> new Event(number + "-" + kept.seq(), kept.message()));
        } finally {
            lock.unlock();
        }
    }

    /** Returns the number of the last message that a reader has taken. */
    long taken() {
        lock.lock();
        try {
            return takenSeq;
        } finally {
            lock.unlock();
        }
    }

    private void taken(Kept message) {
        if (message.seq() > takenSeq) {
            takenSeq = message.seq();
            waitingBytes -= message.message().length();
        }
        while (keptBytes - waitingBytes > MAX_KEPT_BYTES && messages.getFirst().seq() < takenSeq) {
            int bytes = messages.removeFirst().message().length();
            keptBytes -= bytes;
            share.release(bytes);
        }
    }

    /** Returns true if the reader with this number has all messages up to {@code seq}, and no more come. */
    boolean over(long seq, int reader) {
        lock.lock();
        try {
            return readers != reader || (complete() && lastSeq <= seq);
        } finally {
            lock.unlock();
        }
    }

    /** Returns true if no message comes any more, and a reader that has gone has taken all of them. */
    boolean read() {
        lock.lock();
        try {
            return complete() && !attached && takenSeq == lastSeq;
        } finally {
            lock.unlock();
        }
    }

    /** Returns true if no message comes any more, and no reader is there. */
    boolean left() {
        lock.lock();
        try {
            return complete() && !attached;
        } finally {
            lock.unlock();
        }
    }

    /** Gives the messages up, because nobody can ask for them any more. A reader that is there gets them still. */
    void forget() {
        lock.lock();
        try {
            forgotten = true;
            drop();
        } finally {
            lock.unlock();
        }
    }

    private void drop() {
        if (forgotten && !attached) {
            share.release(keptBytes);
            keptBytes = 0;
            messages.clear();
        }
    }

    /** Ends the stream, because its session has ended. */
    void end() {
        lock.lock();
        try {
            ended = true;
            forget();
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }
}
