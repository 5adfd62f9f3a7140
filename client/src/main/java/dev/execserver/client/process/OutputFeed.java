package dev.execserver.client.process;

import dev.execserver.client.error.ConnectionLostException;
import dev.execserver.client.error.ExecServerException;
import dev.execserver.client.error.RequestFailedException;
import dev.execserver.client.error.RequestTimeoutException;
import dev.execserver.client.transport.ClientThreads;
import dev.execserver.protocol.process.OutputChunk;
import dev.execserver.protocol.process.ReadParams;
import dev.execserver.protocol.process.ReadResult;
import java.time.Duration;
import java.util.OptionalLong;

/**
 * Fetches the output of one process by {@code process/read}, on a thread of its own, as far as the consumer has room.
 * Many processes share a connection, so its reader must never wait for the consumer of one of them.
 *
 * <p>A server with {@code push} pushes nothing, and long polls read everything. If the consumer stops, the feed stops,
 * the server's buffer fills, and the program waits in its own write, as with a pipe. Other servers push into bounded
 * buffers, because a long poll would block all other requests. Events that find no room, or come while there is no
 * connection, are read again without waiting. Output that the server has dropped by then becomes a gap.
 */
final class OutputFeed {

    /** Limit of output in one answer; less for a process with a smaller buffer. */
    static final long MAX_READ_BYTES = 512 << 10;

    /**
     * Tolerated excess of an answer. Servers send the first chunk as a whole, and no server makes larger chunks than
     * this. A larger answer ends the process for this client.
     */
    static final long MAX_CHUNK_BYTES = 4 << 20;

    /** Longest wait of one poll for new output, in milliseconds. */
    static final long POLL_MS = 20_000;

    private static final long HOLE_NANOS = Duration.ofSeconds(1).toNanos();
    private static final Duration STARTING_DELAY = Duration.ofMillis(50);
    private static final String STARTING = "is starting";

    private final String processId;
    private final ProcessMethods methods;
    private final EventSequence events;
    private final long waitMs;
    private final long readBytes;

    private OutputFeed(String processId, ProcessMethods methods, EventSequence events, boolean polled) {
        this.readBytes = Math.min(MAX_READ_BYTES, Math.max(1, events.bufferBytes()));
        this.processId = processId;
        this.methods = methods;
        this.events = events;
        this.waitMs = polled ? POLL_MS : 0;
    }

    /** Starts a feed, which runs until the last event is known. */
    static void start(String processId, ProcessMethods methods, EventSequence events, boolean polled) {
        ClientThreads.virtual("exec-client-feed", new OutputFeed(processId, methods, events, polled)::run);
    }

    private void run() {
        try {
            while (events.awaitReading(HOLE_NANOS)) {
                read();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            events.lose("nothing more is read"); // no effect after the last event
        }
    }

    private void read() throws InterruptedException {
        try {
            take(methods.read(new ReadParams(processId, events.cursor(), OptionalLong.of(readBytes), waitMs)));
        } catch (RequestFailedException e) {
            refused(e);
        } catch (RequestTimeoutException e) {
            events.missed();
        } catch (ConnectionLostException e) {
            events.lose(e);
        } catch (ExecServerException e) {
            events.lose("its output cannot be read: " + e.getMessage());
        }
    }

    private void take(ReadResult result) {
        long bytes = result.chunks().stream().mapToLong(OutputChunk::length).sum();
        if (bytes > readBytes + MAX_CHUNK_BYTES) {
            events.lose("the server sends %d bytes of output where %d were asked for".formatted(bytes, readBytes));
        } else {
            events.merge(result);
        }
    }

    private void refused(RequestFailedException e) throws InterruptedException {
        if (e.serverMessage().endsWith(STARTING)) {
            Thread.sleep(STARTING_DELAY);
            events.missed();
        } else {
            events.refused(e.getMessage());
        }
    }
}
