package dev.execserver.server.cli.client;

import dev.execserver.client.error.ExecServerException;
import dev.execserver.protocol.process.SignalParams;
import dev.execserver.sandbox.linux.ProcessCalls;
import dev.execserver.sandbox.linux.SignalCalls;
import java.time.Duration;

/**
 * Handles SIGINT, SIGTERM and SIGHUP while this program relays a remote one. The remote program gets a signal and a few
 * seconds to end and to write its last output. Then it is killed, or left running if this program only visits it. The
 * terminal is restored, and the exit status is that of the remote program.
 *
 * <p>It is a shutdown hook, because {@code sun.misc.Signal} is not supported; so it cannot tell which signal came. On a
 * raw terminal Ctrl-C is a key and no signal.
 */
final class SignalRelay implements Guard {
    private static final Duration PATIENCE = Duration.ofSeconds(5);
    private static final Duration AFTER_KILL = Duration.ofSeconds(2);
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

    private boolean endRemote() throws InterruptedException {
        try {
            task.signal(signal);
            if (relay.awaitEnd(PATIENCE.toMillis())) {
                return true;
            }
        } catch (ExecServerException e) {
            // The server does not know this signal, or there is no connection: kill it below.
        }
        if (!kills) {
            return false;
        }
        try {
            task.terminate();
        } catch (ExecServerException e) {
            return false;
        }
        return relay.awaitEnd(AFTER_KILL.toMillis());
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
