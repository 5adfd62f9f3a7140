package dev.execserver.server.process.client;

import dev.execserver.protocol.rpc.JsonWritable;
import dev.execserver.protocol.rpc.MessageBuffer;
import dev.execserver.protocol.rpc.MessageEncoder;
import dev.execserver.server.concurrent.Threads;
import dev.execserver.server.outbound.Outbound;
import dev.execserver.server.outbound.PushSource;
import java.util.ArrayDeque;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Queue of decisions for the client: those of a proxy or about programs. They wait while no client is attached or it reads
 * slowly. A full queue drops its oldest decision, because decisions are only information. Threads that decide add, the
 * thread that writes to the connection takes; {@code lock} guards the fields.
 */
public final class DecisionQueue {

    /** Largest number of waiting decisions. */
    static final int MAX_WAITING = 1024;

    private static final Logger LOG = LoggerFactory.getLogger(DecisionQueue.class);

    private final ReentrantLock lock = new ReentrantLock();
    private final ArrayDeque<Waiting> waiting = new ArrayDeque<>();
    private final String processId;
    private Optional<Feed> feed = Optional.empty();
    private long dropped;

    private record Waiting(String method, JsonWritable params) {}

    public DecisionQueue(String processId) {
        this.processId = processId;
    }

    /** Source of decisions for one connection. Every attachment has its own, as with output. */
    private final class Feed implements PushSource {
        private final Outbound connection;

        Feed(Outbound connection) {
            this.connection = connection;
        }

        @Override
        public boolean encodeNext(MessageBuffer out) {
            Optional<Waiting> next = next(this);
            next.ifPresent(decision -> MessageEncoder.notification(out, decision.method(), decision.params()));
            return next.isPresent();
        }

        @Override
        public void written() {
            // nothing waits for this
        }
    }

    public void add(String method, JsonWritable params) {
        Optional<Feed> current;
        lock.lock();
        try {
            if (waiting.size() == MAX_WAITING) {
                waiting.removeFirst();
                if (dropped++ == 0) {
                    LOG.warn("process {}: decisions ({}) are dropped", processId, method);
                }
            }
            waiting.add(new Waiting(method, params));
            current = feed;
        } finally {
            lock.unlock();
        }
        current.ifPresent(DecisionQueue::schedule);
    }

    public void attach(Outbound connection) {
        Feed attached = new Feed(connection);
        boolean due;
        lock.lock();
        try {
            feed = Optional.of(attached);
            due = !waiting.isEmpty();
        } finally {
            lock.unlock();
        }
        if (due) {
            schedule(attached);
        }
    }

    public void detach() {
        lock.lock();
        try {
            feed = Optional.empty();
        } finally {
            lock.unlock();
        }
    }

    /**
     * Schedules on a new thread, because this may write to the socket and the deciding thread must not wait for that.
     */
    private static void schedule(Feed feed) {
        Threads.virtual("decisions", () -> feed.connection.schedule(feed));
    }

    private Optional<Waiting> next(Feed asking) {
        lock.lock();
        try {
            return feed.filter(current -> current == asking).map(_ -> waiting.poll());
        } finally {
            lock.unlock();
        }
    }
}
