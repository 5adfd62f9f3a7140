package dev.execserver.server.cli;

import dev.execserver.sandbox.linux.Fd;
import dev.execserver.sandbox.linux.ProcFiles;
import dev.execserver.sandbox.linux.ProcessCalls;
import dev.execserver.sandbox.linux.SignalCalls;
import dev.execserver.sandbox.linux.SignalCalls.Received;
import dev.execserver.sandbox.plan.AttachedSandbox;
import dev.execserver.server.sandbox.LocalSandbox;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Reads each signal and passes it on, so that this program behaves like the command itself. Signals of the terminal
 * reach the command directly, because both processes are in its foreground group. If a key has stopped the command,
 * this process stops as well: the shell then sees that its job has stopped, and {@code fg} continues both.
 *
 * <p>One daemon thread reads; {@code lock} guards the command and the signals that wait for it.
 */
final class ForwardedSignals implements SandboxSignals {
    private static final int SIGTSTP = 20;
    private static final int SIGNALLED = 128;

    /** Number of checks if the command has stopped. It may handle the key itself and not stop. */
    private static final int STOP_LOOKS = 25;

    private static final long STOP_LOOK_NANOS = 20_000_000;

    private final ReentrantLock lock = new ReentrantLock();
    private final List<Integer> early = new ArrayList<>();
    private final Fd descriptor;
    private Optional<AttachedSandbox> command = Optional.empty();
    private boolean standing;

    private ForwardedSignals(Fd descriptor) {
        this.descriptor = descriptor;
    }

    static ForwardedSignals arm() {
        ProcFiles.Signals own = ProcFiles.signals(ProcessCalls.ownPid()).orElseThrow();
        List<Integer> wanted = LocalSandbox.PASSED_SIGNALS.stream()
                .filter(signal -> !own.ignores(signal))
                .toList();
        ForwardedSignals armed = new ForwardedSignals(SignalCalls.descriptor(wanted));
        Thread.ofPlatform().daemon().name("sandbox-signals").start(armed::read);
        return armed;
    }

    private void read() {
        while (true) {
            pass(SignalCalls.next(descriptor));
        }
    }

    private void pass(Received signal) {
        Optional<AttachedSandbox> running = orKeep(signal.number());
        if (running.isEmpty()) {
            return;
        }
        boolean reached = running.get().onTerminal() && signal.fromKernel();
        if (!reached) {
            boolean _ = running.get().signal(signal.number()); // false: it has just ended
        }
        if (signal.number() == SIGTSTP && running.get().onTerminal()) {
            stopWith(running.get());
        }
    }

    /**
     * Returns the command. While it does not run, the signal is kept for it; if the same signal comes again, it ends
     * this program.
     */
    private Optional<AttachedSandbox> orKeep(int signal) {
        lock.lock();
        try {
            if (standing) {
                return command;
            }
            if (early.contains(signal)) {
                Runtime.getRuntime().halt(SIGNALLED + signal);
            }
            early.add(signal);
            return Optional.empty();
        } finally {
            lock.unlock();
        }
    }

    private static void stopWith(AttachedSandbox running) {
        for (int look = 0; look < STOP_LOOKS && !running.exited(); look++) {
            if (running.stopped()) {
                ProcessCalls.kill(ProcessCalls.ownPid(), ProcessCalls.SIGSTOP);
                // This process was continued here, perhaps by a signal to it alone. So continue the command too.
                boolean _ = running.signal(ProcessCalls.SIGCONT);
                return;
            }
            LockSupport.parkNanos(STOP_LOOK_NANOS);
        }
    }

    @Override
    public void started(AttachedSandbox running) {
        lock.lock();
        try {
            command = Optional.of(running);
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void standing() {
        lock.lock();
        try {
            standing = true;
            command.ifPresent(running -> early.forEach(running::signal));
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void finished(int code) {
        // The main thread ends the program with that status.
    }

    @Override
    public void close() {
        // The thread is a daemon and ends with the program. A signal that comes now is ignored.
    }
}
