package dev.execserver.server.transport.websocket;

import dev.execserver.protocol.text.VisibleText;
import io.helidon.http.Status;
import java.net.SocketAddress;
import java.time.Duration;
import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/**
 * Logs requests that were turned away, with the peer's address and the reason. Whoever may not come can send as many as he
 * likes, so the lines of a period are limited: what comes beyond is counted and told at the period's end.
 *
 * <p>Missing or wrong credentials and web pages are warnings: the first of a period at once, the sum at its end. Everything else
 * (malformed requests, too many connections) is information.
 *
 * <p>Threads: connection threads and the timer. {@code lock} guards the counts, never the writing of a line.
 */
final class RefusalLog {
    static final Duration PERIOD = Duration.ofMinutes(1);
    /** Lines of one kind in one period. */
    static final int LINES = 20;

    private static final int MAX_LINE = 120;
    private static final Logger LOG = LoggerFactory.getLogger(RefusalLog.class);

    private enum Kind {
        /** The peer may not come. */
        CREDENTIALS(Level.WARN),
        /** The request cannot be served, whoever sends it. */
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

    /** What was refused since a period began. */
    private static final class Count {
        private final long endsAtNanos;
        private int refused;
        private String last = "";

        Count(long endsAtNanos) {
            this.endsAtNanos = endsAtNanos;
        }
    }

    private final ReentrantLock lock = new ReentrantLock();
    private final Map<Kind, Count> counts = new EnumMap<>(Kind.class);

    /**
     * Notes a refusal.
     *
     * @param line first line of the request
     */
    void refused(SocketAddress peer, String line, Status status, String why) {
        Kind kind = Kind.of(status);
        String what =
                "from %s: %d %s (%s)".formatted(Sockets.text(peer), status.code(), words(why), withoutQuery(line));
        int number = count(kind, what);
        if (number == 1) {
            LOG.atLevel(kind.summary).log("a request was refused {}", what);
        } else if (number <= LINES) {
            LOG.info("a request was refused {}", what);
        }
    }

    private int count(Kind kind, String what) {
        lock.lock();
        try {
            Count count = counts.computeIfAbsent(kind, _ -> new Count(System.nanoTime() + PERIOD.toNanos()));
            count.last = what;
            return ++count.refused;
        } finally {
            lock.unlock();
        }
    }

    /** Tells the sums of periods that are over. */
    void tick(long now) {
        for (Kind kind : Kind.values()) {
            Count over = takeOver(kind, now);
            if (over != null && over.refused > 1) {
                LOG.atLevel(kind.summary)
                        .log(
                                "{} requests were refused within {} s, the last one {}",
                                over.refused,
                                PERIOD.toSeconds(),
                                over.last);
            }
        }
    }

    private Count takeOver(Kind kind, long now) {
        lock.lock();
        try {
            Count count = counts.get(kind);
            return count != null && now - count.endsAtNanos >= 0 ? counts.remove(kind) : null;
        } finally {
            lock.unlock();
        }
    }

    private static String words(String why) {
        return why.isEmpty() ? "refused" : VisibleText.of(why);
    }

    /** Queries hold names of files and more. */
    private static String withoutQuery(String line) {
        int query = line.indexOf('?');
        String shown = query < 0 ? line : line.substring(0, query) + "?...";
        return VisibleText.of(shown.length() > MAX_LINE ? shown.substring(0, MAX_LINE) + "..." : shown);
    }
}
