package dev.execserver.cli.client;

import static java.util.concurrent.TimeUnit.MILLISECONDS;

import dev.execserver.cli.Console;
import dev.execserver.client.ConnectionListener;
import java.util.concurrent.CountDownLatch;

/** Prints warnings of a server about what this program has sent it, on stderr. */
final class ServerWarnings implements ConnectionListener {

    /** Time for the last warnings to be printed. */
    private static final long LIMIT_MS = 2_000;

    private final Console console;
    private final CountDownLatch ended = new CountDownLatch(1);

    ServerWarnings(Console console) {
        this.console = console;
    }

    @Override
    public void warned(String method, String warning) {
        console.note("Warning: " + method + ": " + warning);
    }

    @Override
    public void ended(String reason) {
        ended.countDown();
    }

    /** Waits until all of them are printed, after the connection was closed. */
    void finish() {
        try {
            if (!ended.await(LIMIT_MS, MILLISECONDS)) {
                console.note("Warning: warnings of the server may be missing");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
