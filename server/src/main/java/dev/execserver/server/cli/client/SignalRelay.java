package dev.execserver.server.cli.client;

import dev.execserver.client.error.ExecServerException;
import dev.execserver.protocol.process.SignalParams;
import dev.execserver.sandbox.linux.ProcessCalls;
import dev.execserver.sandbox.linux.SignalCalls;
import java.time.Duration;

/**
 * What SIGINT, SIGTERM and SIGHUP do to this program while it relays another: the remote one gets a signal and a few
 * seconds to end and to say its last words, then it is killed, or left alone where this program is only one of its
 * visitors; the terminal is restored, and the exit status is the remote one's. A shutdown hook, since {@code sun.misc.Signal} is not supported; so the hook cannot tell which signal it
 * was. On a terminal Ctrl-C is a key and no signal.
 */
final class SignalRelay implements Guard {
    private static final Duration PATIENCE = Duration.ofSeconds(5);
    private static final Duration AFTER_KILL = Duration.ofSeconds(2);
    /** As a shell tells it of a program that Ctrl-C has ended. */
    private static final int INTERRUPTED = 130;

    private final RemoteTask task;
    private final Relay relay;
    private final LocalEnd local;
    private final String signal;
    private final boolean kills;
    private final Thread hook;

    private SignalRelay(RemoteTask task, Relay relay, LocalEnd local, String signal, boolean kills) {
        this.task = task;
        this.relay = relay;
        this.local = local;
        this.signal = signal;
        this.kills = kills;
        this.hook = Thread.ofPlatform().name("run-signal").unstarted(this::endRemoteAndHalt);
    }

    /** @param signal what the remote program gets */
    static SignalRelay arm(RemoteTask task, Relay relay, LocalEnd local, String signal) {
        return arm(new SignalRelay(task, relay, local, signal, true));
    }

    /**
     * For a program that belongs to somebody else: only SIGINT is handed on, and a program that takes it and goes on is left
     * alone. SIGTERM and SIGHUP end this one at once.
     */
    static SignalRelay armForInterrupt(RemoteTask task, Relay relay, LocalEnd local) {
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
            // An old server without this signal, or no connection: kill, below.
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

    /** Disarms the hook, unless a signal is being served: then the hook ends the program and this waits for it. */
    @Override
    public void close() {
        try {
            Runtime.getRuntime().removeShutdownHook(hook);
        } catch (IllegalStateException shuttingDown) {
            // The hook knows the status as well.
            return;
        }
    }
}
