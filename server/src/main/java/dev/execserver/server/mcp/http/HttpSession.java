package dev.execserver.server.mcp.http;

import dev.execserver.protocol.rpc.ErrorCodes;
import dev.execserver.protocol.rpc.JsonRpcMessage;
import dev.execserver.protocol.rpc.Request;
import dev.execserver.server.concurrent.Timers;
import dev.execserver.server.mcp.McpConnection;
import dev.execserver.server.transport.auth.Subject;
import dev.execserver.server.transport.mcp.McpRefusal;
import java.time.Duration;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Session of one MCP client over HTTP. It ends when the client says so, or when no request of it has been open for the time to live. Threads
 * of connections enter; {@code lock} guards the streams, the count of readers and the expiry, and is not held while a message is taken.
 */
final class HttpSession {
    /** Number of the stream for messages that answer no request. */
    private static final int GENERAL = 0;

    /** Streams that are kept for clients that were cut off. */
    private static final int MAX_STREAMS = 64;

    private final ReentrantLock lock = new ReentrantLock();
    private final ReentrantLock receiving = new ReentrantLock();
    private final String id;
    private final Optional<Subject> subject;
    private final McpConnection connection;
    private final Timers timers;
    private final Duration ttl;
    private final Runnable expired;
    private final EventStream general;
    private final KeptMessages share;
    private final Map<Integer, EventStream> streams = new LinkedHashMap<>();
    private int lastStream = GENERAL;
    private int readers;
    private Optional<Timers.Planned> expiry = Optional.empty();

    /**
     * @param general stream of {@code connection} for messages that answer no request
     * @param share room for messages of this session; beyond it the oldest complete streams are forgotten, read or not
     * @param expired ends the session; called when its time to live is over
     */
    HttpSession(
            String id,
            Optional<Subject> subject,
            McpConnection connection,
            EventStream general,
            KeptMessages share,
            Timers timers,
            Duration ttl,
            Runnable expired) {
        this.id = id;
        this.subject = subject;
        this.connection = connection;
        this.share = share;
        this.timers = timers;
        this.ttl = ttl;
        this.expired = expired;
        this.general = general;
        streams.put(GENERAL, general);
    }

    String id() {
        return id;
    }

    /**
     * Returns true for the owner with the rights that it had at the begin. With other rights it must begin anew, because
     * the tools of this session keep the old ones.
     */
    boolean open(Optional<Subject> other) {
        return subject.equals(other) && Subject.rights(subject).equals(Subject.rights(other));
    }

    boolean initialized() {
        return connection.initialized();
    }

    /** Takes messages of one HTTP request. Returns the stream of the answers; empty if none are expected. */
    Optional<StreamReader> take(List<JsonRpcMessage> messages) {
        int requests = (int) messages.stream().filter(Request.class::isInstance).count();
        EventStream stream = requests == 0 ? general : begin(requests);
        Optional<StreamReader> reader =
                requests == 0 ? Optional.empty() : Optional.of(new StreamReader(this, stream, 0));
        receiving.lock(); // one at a time: never waits for a client
        try {
            messages.forEach(message -> connection.receive(message, stream));
        } finally {
            receiving.unlock();
        }
        if (requests == 0) {
            touch();
        }
        return reader;
    }

    private EventStream begin(int requests) {
        lock.lock();
        try {
            EventStream stream = new EventStream(++lastStream, share, requests, false);
            streams.put(stream.number(), stream);
            forgetOldest();
            return stream;
        } finally {
            lock.unlock();
        }
    }

    /** Forgets what clients that were cut off have not fetched for longest, until the bounds are kept. */
    private void forgetOldest() {
        long bytes = streams.values().stream().mapToLong(EventStream::keptBytes).sum();
        Iterator<EventStream> oldest = List.copyOf(streams.values()).iterator();
        while (oldest.hasNext() && (streams.size() > MAX_STREAMS || bytes > KeptMessages.MAX_BYTES_OF_ONE)) {
            EventStream stream = oldest.next();
            if (stream != general && stream.complete()) {
                bytes -= stream.keptBytes();
                streams.remove(stream.number());
                stream.forget();
            }
        }
    }

    /** Forgets the oldest streams of clients that were cut off, read or not, until an answer of this size has room. */
    void makeRoom(long wanted) {
        lock.lock();
        try {
            for (EventStream stream : List.copyOf(streams.values())) {
                if (share.bytes() + wanted > KeptMessages.MAX_BYTES_OF_ONE && stream.left()) {
                    streams.remove(stream.number());
                    stream.forget();
                }
            }
        } finally {
            lock.unlock();
        }
    }

    /** Forgets the streams that were read to their end. */
    void forgetRead() {
        lock.lock();
        try {
            for (EventStream stream : List.copyOf(streams.values())) {
                if (stream.read()) {
                    streams.remove(stream.number());
                    stream.forget();
                }
            }
        } finally {
            lock.unlock();
        }
    }

    /** Opens the general stream behind what was read of it, or the stream of the event behind it. */
    StreamReader resume(Optional<String> lastEventId) {
        if (lastEventId.isEmpty()) {
            return new StreamReader(this, general, general.taken());
        }
        String[] parts = lastEventId.get().split("-", 2);
        lock.lock();
        try {
            EventStream stream = parts.length == 2 && number(parts[0]) && number(parts[1])
                    ? streams.get(Integer.parseInt(parts[0]))
                    : null;
            if (stream == null) {
                throw new McpRefusal(404, ErrorCodes.INVALID_REQUEST, "no stream has the event " + lastEventId.get());
            }
            return new StreamReader(this, stream, Long.parseLong(parts[1]));
        } finally {
            lock.unlock();
        }
    }

    private static boolean number(String text) {
        return text.matches("[0-9]{1,9}");
    }

    void readerBegan() {
        lock.lock();
        try {
            readers++;
            expiry.ifPresent(Timers.Planned::cancel);
            expiry = Optional.empty();
        } finally {
            lock.unlock();
        }
    }

    void readerEnded() {
        lock.lock();
        try {
            readers--;
        } finally {
            lock.unlock();
        }
        touch();
    }

    /** Begins the time to live anew, unless a request is open. */
    private void touch() {
        lock.lock();
        try {
            expiry.ifPresent(Timers.Planned::cancel);
            expiry = readers > 0 ? Optional.empty() : Optional.of(timers.after(ttl, "mcp-expiry", this::expire));
        } finally {
            lock.unlock();
        }
    }

    private void expire() {
        lock.lock();
        try {
            if (readers > 0) {
                return; // a request came just now
            }
        } finally {
            lock.unlock();
        }
        expired.run();
    }

    /** Ends everything that the client has started. */
    void end() {
        lock.lock();
        try {
            expiry.ifPresent(Timers.Planned::cancel);
        } finally {
            lock.unlock();
        }
        connection.close();
        lock.lock();
        try {
            streams.values().forEach(EventStream::end);
        } finally {
            lock.unlock();
        }
    }
}
