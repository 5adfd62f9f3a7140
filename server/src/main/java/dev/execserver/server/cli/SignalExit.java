package dev.execserver.server.cli;

import dev.execserver.cli.ExitStatus;
import dev.execserver.cli.SignalHandler;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Ends the program with status 0 on SIGTERM, SIGINT and SIGHUP, after the server was closed; a second signal ends it at
 * once, with status 1. On these signals the JVM runs the shutdown hooks and exits with 128 + the signal's number. A hook
 * that halts is the supported way to choose the status. The halt may cut other hooks short, so nothing important may run
 * in one.
 *
 * <p>The hook runs on its own platform thread. {@link #close} removes it at an ordinary end.
 */
final class SignalExit implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(SignalExit.class);

    /** Signals that end the program at once when they come during its end. The guardian ends what is left. */
    private static final List<String> SECOND_SIGNALS = List.of("TERM", "INT");

    /** Time in which a second signal counts as the first one. */
    private static final Duration SAME_SIGNAL = Duration.ofSeconds(1);

    private final Thread hook;

    private SignalExit(Thread hook) {
        this.hook = hook;
    }

    static SignalExit arm(RunningServer server) {
        Thread hook = Thread.ofPlatform().name("signal-exit").unstarted(() -> closeAndHalt(server));
        Runtime.getRuntime().addShutdownHook(hook);
        return new SignalExit(hook);
    }

    private static void closeAndHalt(RunningServer server) {
        int status = ExitStatus.FAILURE;
        long begunNanos = System.nanoTime();
        SECOND_SIGNALS.forEach(name -> {
            boolean _ = SignalHandler.install(name, () -> haltIfMeant(begunNanos));
        });
        try {
            CompletableFuture<Void> closed = new CompletableFuture<>();
            Thread.ofPlatform().daemon().name("signal-close").start(() -> close(server, closed));
            closed.get(server.closeLimit().toMillis(), TimeUnit.MILLISECONDS);
            status = ExitStatus.OK;
        } catch (ExecutionException e) {
            LOG.error("closing the server failed", e.getCause());
        } catch (TimeoutException e) {
            // The guardian ends the processes that are left.
            LOG.error("the server did not close within {}; ending all the same", server.closeLimit());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            System.err.flush();
            Runtime.getRuntime().halt(status);
        }
    }

    /** timeout(1) and others send one signal to the process and to its group: that is not a second one. */
    private static void haltIfMeant(long begunNanos) {
        if (System.nanoTime() - begunNanos > SAME_SIGNAL.toNanos()) {
            Runtime.getRuntime().halt(ExitStatus.FAILURE);
        }
    }

    private static void close(RunningServer server, CompletableFuture<Void> closed) {
        try {
            server.close();
            closed.complete(null);
        } catch (RuntimeException | Error e) {
            closed.completeExceptionally(e);
        }
    }

    /** Removes the hook. If a signal is being handled this has no effect, and the hook ends the program. */
    @Override
    public void close() {
        try {
            Runtime.getRuntime().removeShutdownHook(hook);
        } catch (IllegalStateException shuttingDown) {
            LOG.debug("a signal is ending the server");
        }
    }
}
