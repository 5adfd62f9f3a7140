package dev.execserver.cli.client;

import dev.execserver.cli.SignalHandler;
import dev.execserver.client.error.ExecServerException;
import dev.execserver.protocol.process.SignalParams;
import dev.execserver.sandbox.linux.ProcessCalls;
import dev.execserver.sandbox.linux.SignalCalls;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * Handles SIGINT, SIGTERM and SIGHUP while this program relays a remote one. The remote program gets a signal and a few
 * seconds to end and to write its last output. Then it is killed, or left running if this program only visits it. The
 * terminal is restored, and the exit status is that of the remote program.
 *
 * <p>A server that answers nothing, or does not even read, keeps this program no longer than {@link #PATIENCE}; a second
 * signal ends it at once. So every request to the server has a thread of its own, which the hook does not wait for.
 *
 * <p>It is a shutdown hook, because {@code sun.misc.Signal} is not supported; so it cannot tell which signal came. On a
 * raw terminal Ctrl-C is a key and no signal.
 */
final class SignalRelay implements Guard {
    private static final Duration PATIENCE = Duration.ofSeconds(5);
    private static final Duration AFTER_KILL = Duration.ofSeconds(2);
    /** Part of {@link #PATIENCE} that is kept for the kill if the server does not answer. */
    private static final Duration LAST_TRY = Duration.ofSeconds(1);
    /** Time in which a second signal counts as the first one. */
    private static final Duration SAME_SIGNAL = Duration.ofMillis(300);

    /** Pause between looks for the answer to a request. */
    private static final Duration LOOK = Duration.ofMillis(20);

    private static final List<String> SECOND_SIGNALS = List.of("TERM", "INT", "HUP");
    /** Status that a shell gives for a program that Ctrl-C has ended. */
    private static final int INTERRUPTED = 130;

    private final RemoteTask task;
    private final OutputRelay relay;
    private final LocalTerminal local;
    private final String signal;
    private final boolean kills;
    private final Thread hook;

    private SignalRelay(RemoteTask task, OutputRelay relay, LocalTerminal local, String signal, boolean kills) {
        this.task = task;
        this.relay = relay;
        this.local = local;
        this.signal = signal;
        this.kills = kills;
        this.hook = Thread.ofPlatform().name("run-signal").unstarted(this::endRemoteAndHalt);
    }

    /** @param signal signal for the remote program */
    static SignalRelay arm(RemoteTask task, OutputRelay relay, LocalTerminal local, String signal) {
        return arm(new SignalRelay(task, relay, local, signal, true));
    }

    /**
     * Arms the hook for a program of another client. Only SIGINT is passed on, and a program that handles it and goes
     * on is left running. SIGTERM and SIGHUP end this program at once.
     */
    static SignalRelay armForInterrupt(RemoteTask task, OutputRelay relay, LocalTerminal local) {
        SignalCalls.removeHandler(ProcessCalls.SIGTERM);
        SignalCalls.removeHandler(ProcessCalls.SIGHUP);
        return arm(new SignalRelay(task, relay, local, SignalParams.INTERRUPT, false));
    }

    private static SignalRelay arm(SignalRelay armed) {
        Runtime.getRuntime().addShutdownHook(armed.hook);
        return armed;
    }

    private void endRemoteAndHalt() {
        int status = INTERRUPTED;
        long begunNanos = System.nanoTime();
        SECOND_SIGNALS.forEach(name -> {
            boolean _ = SignalHandler.install(name, () -> haltIfMeant(begunNanos));
        });
        try {
            if (endRemote()) {
                status = relay.status();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            local.restoreTerminal();
            relay.sayLastWords();
            Runtime.getRuntime().halt(status);
        }
    }

    /** timeout(1) and others send one signal to the process and to its group: that is not a second one. */
    private void haltIfMeant(long begunNanos) {
        if (System.nanoTime() - begunNanos > SAME_SIGNAL.toNanos()) {
            local.restoreTerminal();
            Runtime.getRuntime().halt(INTERRUPTED);
        }
    }

    /** Returns true if the remote program has ended. */
    private boolean endRemote() throws InterruptedException {
        long until = System.nanoTime() + PATIENCE.toNanos();
        Optional<Boolean> signalled = answer("run-signal-send", () -> task.signal(signal), until - LAST_TRY.toNanos());
        // false: the server does not know this signal, or there is no connection
        if (signalled.orElse(false) && relay.awaitEnd(millisTo(until))) {
            return true;
        }
        if (!kills) {
            return relay.awaitEnd(0);
        }
        if (signalled.isPresent()) {
            until = System.nanoTime() + AFTER_KILL.toNanos();
        }
        Optional<Boolean> killed = answer("run-kill-send", task::terminate, until);
        return killed.orElse(true) && relay.awaitEnd(millisTo(until));
    }

    /** A request to the server. */
    @FunctionalInterface
    private interface Sending {
        void send() throws InterruptedException;
    }

    /**
     * Sends a request and waits for its answer, or for the end of the remote program.
     *
     * @return true if the server has done it, false if it refuses or there is no connection; empty without an answer
     */
    private Optional<Boolean> answer(String name, Sending request, long untilNanos) throws InterruptedException {
        CompletableFuture<Boolean> answered = new CompletableFuture<>();
        CliThreads.daemon(name, () -> {
            try {
                request.send();
                answered.complete(true);
            } catch (ExecServerException e) {
                answered.complete(false);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        });
        while (!answered.isDone() && millisTo(untilNanos) > 0 && !relay.awaitEnd(LOOK.toMillis())) {
            // until one of them has happened
        }
        return Optional.ofNullable(answered.getNow(relay.awaitEnd(0) ? true : null));
    }

    private static long millisTo(long nanos) {
        return Math.max(0, Duration.ofNanos(nanos - System.nanoTime()).toMillis());
    }

    /** Removes the hook. If a signal is being handled this has no effect, and the hook ends the program. */
    @Override
    public void close() {
        try {
            Runtime.getRuntime().removeShutdownHook(hook);
        } catch (IllegalStateException shuttingDown) {
            // The hook also knows the status.
            return;
        }
    }
}
