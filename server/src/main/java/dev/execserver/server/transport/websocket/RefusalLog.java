package dev.execserver.server.transport.websocket;

import dev.execserver.protocol.text.VisibleText;
import dev.execserver.server.access.AccessEvent;
import dev.execserver.server.access.AccessField;
import dev.execserver.server.access.AccessKind;
import dev.execserver.server.access.AccessLog;
import dev.execserver.server.transport.origin.ClientAddress;
import io.helidon.http.Status;
import java.time.Duration;
import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/**
 * Logs refused requests with the client's address and the reason. Peers may send any number of such requests, so the
 * lines in one period are limited. Further refusals are counted, and the sum is logged at the period's end.
 *
 * <p>Missing or wrong credentials and requests of web pages are warnings: the first of a period and the sum. All others
 * (malformed requests, too many connections) are information. Threads: connection threads and the timer. {@code lock}
 * guards the counts and is not held while a line is written.
 */
final class RefusalLog {
    static final Duration PERIOD = Duration.ofMinutes(1);
    /** Limit of lines of one kind in one period. */
    static final int LINES = 20;

    private static final int MAX_LINE = 120;
    private static final Logger LOG = LoggerFactory.getLogger(RefusalLog.class);

    private enum Kind {
        /** The peer has no access. */
        CREDENTIALS(Level.WARN),
        /** The request cannot be served for any peer. */
        REQUEST(Level.INFO);

        private final Level summary;

        Kind(Level summary) {
            this.summary = summary;
        }

        static Kind of(Status status) {
            return status.equals(Status.UNAUTHORIZED_401) || status.equals(Status.FORBIDDEN_403)
                    ? CREDENTIALS
                    : REQUEST;
        }
    }

    /** Refusals since a period began. */
    private static final class Count {
        private final long begunNanos = System.nanoTime();
        private int refused;
        private String last = "";

        /** Returns the time since the begin, at most a period. */
        Duration age(long now) {
            Duration age = Duration.ofNanos(now - begunNanos);
            return age.compareTo(PERIOD) < 0 ? age : PERIOD;
        }
    }

    private final ReentrantLock lock = new ReentrantLock();
    private final Map<Kind, Count> counts = new EnumMap<>(Kind.class);
    private final AccessLog access;

    /** @param access gets every refusal */
    RefusalLog(AccessLog access) {
        this.access = access;
    }

    /**
     * Records a refusal.
     *
     * @param line first line of the request
     */
    void refused(ClientAddress client, String line, Status status, String why) {
        if (access.on()) {
            access.write(event(client, line, status, why));
        }
        Kind kind = Kind.of(status);
        String what = "from %s: %d %s (%s)".formatted(client.text(), status.code(), words(why), withoutQuery(line));
        int number = count(kind, what);
        if (number == 1) {
            LOG.atLevel(kind.summary).log("a request was refused {}", what);
        } else if (number <= LINES) {
            LOG.info("a request was refused {}", what);
        }
    }

    private static AccessEvent event(ClientAddress client, String line, Status status, String why) {
        AccessEvent event = client.addTo(AccessEvent.of(AccessKind.CONNECTION_REFUSED))
                .put(AccessField.HTTP_REQUEST, withoutQuery(line))
                .put(AccessField.HTTP_STATUS, status.code())
                .put(AccessField.REASON, why.isEmpty() ? status.reasonPhrase() : why);
        return Kind.of(status) == Kind.CREDENTIALS ? event.warning() : event;
    }

    private int count(Kind kind, String what) {
        lock.lock();
        try {
            Count count = counts.computeIfAbsent(kind, _ -> new Count());
            count.last = what;
            return ++count.refused;
        } finally {
            lock.unlock();
        }
    }

    /** Logs the sums of periods that have ended. */
    void tick(long now) {
        sums(now, PERIOD);
    }

    /** Logs the sums of periods that have not ended. Call it when the server ends. */
    void close() {
        sums(System.nanoTime(), Duration.ZERO);
    }

    private void sums(long now, Duration leastAge) {
        for (Kind kind : Kind.values()) {
            Count over = takeOver(kind, now, leastAge);
            if (over != null && over.refused > 1) {
                LOG.atLevel(kind.summary)
                        .log(
                                "{} requests were refused within {} s, the last one {}",
                                over.refused,
                                Math.max(1, over.age(now).toSeconds()),
                                over.last);
            }
        }
    }

    private Count takeOver(Kind kind, long now, Duration leastAge) {
        lock.lock();
        try {
            Count count = counts.get(kind);
            return count != null && count.age(now).compareTo(leastAge) >= 0 ? counts.remove(kind) : null;
        } finally {
            lock.unlock();
        }
    }

    private static String words(String why) {
        return why.isEmpty() ? "refused" : VisibleText.of(why);
    }

    /** Cuts the query off, because queries contain file names and more. */
    private static String withoutQuery(String line) {
        int query = line.indexOf('?');
        String shown = query < 0 ? line : line.substring(0, query) + "?...";
        return VisibleText.of(shown.length() > MAX_LINE ? shown.substring(0, MAX_LINE) + "..." : shown);
    }
}
