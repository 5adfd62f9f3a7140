package dev.execserver.client.transport;

import java.io.Closeable;
import java.io.IOException;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Limits the time of one attempt to connect. A limit for each read is not enough: a peer could send a byte now and then.
 * So a thread closes the socket when the time is over.
 */
final class ConnectLimit {
    private ConnectLimit() {}

    /** Connects a socket and begins to speak with it. */
    @FunctionalInterface
    interface Attempt {
        /**
         * Makes the attempt.
         *
         * @param limitMs the whole time, for connect(2)
         * @param deadline of {@code System.nanoTime()}
         */
        ClientTransport run(int limitMs, long deadline) throws IOException;
    }

    /**
     * Runs the attempt and closes the socket if it fails.
     *
     * @throws SocketTimeoutException if the time is over
     */
    static ClientTransport run(Closeable socket, Duration limit, Attempt attempt) throws IOException {
        int limitMs = (int) Math.clamp(limit.toMillis(), 1, Integer.MAX_VALUE);
        long deadline = System.nanoTime() + limitMs * 1_000_000L;
        AtomicBoolean expired = new AtomicBoolean();
        Thread watchdog =
                ClientThreads.virtual("exec-client-connect-limit", () -> closeAfter(socket, limitMs, expired));
        try {
            return attempt.run(limitMs, deadline);
        } catch (IOException | RuntimeException e) {
            socket.close();
            if (expired.get() || e instanceof SocketTimeoutException) {
                throw new SocketTimeoutException(
                        "no answer within " + (limitMs < 1_000 ? limitMs + " ms" : limitMs / 1_000 + " s"));
            }
            throw e;
        } finally {
            watchdog.interrupt();
        }
    }

    private static void closeAfter(Closeable socket, long limitMs, AtomicBoolean expired) {
        try {
            Thread.sleep(limitMs);
            expired.set(true);
            socket.close();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt(); // the connection was opened in time, or has failed
        } catch (IOException e) {
            System.getLogger(ConnectLimit.class.getName()).log(System.Logger.Level.DEBUG, "close", e);
        }
    }
}
