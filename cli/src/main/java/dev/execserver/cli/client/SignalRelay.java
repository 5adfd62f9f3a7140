package dev.execserver.cli.client;

import dev.execserver.cli.SignalHandler;
import dev.execserver.protocol.process.SignalParams;
import dev.execserver.sandbox.linux.ProcessCalls;
import dev.execserver.sandbox.linux.SignalCalls;
import java.time.Duration;
import java.util.List;

/**
 * Handles SIGINT, SIGTERM and SIGHUP while this program relays a remote one. The remote program gets a signal and a few
 * seconds to end and to write its last output. Then it is killed, or left running if this program only visits it. The
 * terminal is restored, and the exit status is that of the remote program.
 *
 * <p>A server that answers nothing, or does not even read, keeps this program no longer than {@link RemoteEnd} says; a
 * second signal ends it at once.
 *
 * <p>It is a shutdown hook, because {@code sun.misc.Signal} is not supported; so it cannot tell which signal came. On a
 * raw terminal Ctrl-C is a key and no signal.
 */
final class SignalRelay implements Guard {
    /** Time in which a second signal counts as the first one. */
    private static final Duration SAME_SIGNAL = Duration.ofMillis(300);

    private static final List<String> SECOND_SIGNALS = List.of("TERM", "INT", "HUP");
    /** Status that a shell gives for a program that Ctrl-C has ended. */
    private static final int INTERRUPTED = 130;

    private final RemoteEnd end;
    private final OutputRelay relay;
    private final LocalTerminal local;
    private final boolean kills;
    private final Thread hook;

    private SignalRelay(RemoteTask task, OutputRelay relay, LocalTerminal local, String signal, boolean kills) {
        this.end = new RemoteEnd(task, relay, signal);
        this.relay = relay;
        this.local = local;
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
            if (end.run(kills)) {
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
