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
 * Passes each signal on as it came, so that this program behaves like the command itself. What a terminal sends reaches the
 * command without us, because both are in its foreground group. When a key has stopped the command, this process stops as
 * well: then the shell sees that its job has stopped, and {@code fg} continues both.
 *
 * <p>One daemon thread reads; {@code lock} guards the command and what waits for it.
 */
final class ReadSignals implements SignalPass {
    private static final int SIGTSTP = 20;
    private static final int SIGNALLED = 128;

    /** So often it is looked whether the command has stopped: it may handle the key itself. */
    private static final int STOP_LOOKS = 25;

    private static final long STOP_LOOK_NANOS = 20_000_000;

    private final ReentrantLock lock = new ReentrantLock();
    private final List<Integer> early = new ArrayList<>();
    private final Fd descriptor;
    private Optional<AttachedSandbox> command = Optional.empty();
    private boolean standing;

    private ReadSignals(Fd descriptor) {
        this.descriptor = descriptor;
    }

    static ReadSignals arm() {
        ProcFiles.Signals own = ProcFiles.signals(ProcessCalls.ownPid()).orElseThrow();
        List<Integer> wanted = LocalSandbox.PASSED_SIGNALS.stream()
                .filter(signal -> !own.ignores(signal))
                .toList();
        ReadSignals armed = new ReadSignals(SignalCalls.descriptor(wanted));
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
            boolean _ = running.get().signal(signal.number()); // false: it ended in this moment
        }
        if (signal.number() == SIGTSTP && running.get().onTerminal()) {
            stopWith(running.get());
        }
    }

    /** The command; when it does not run yet it gets the signal later, and whoever sends it again means this program. */
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
                // Here it goes on when somebody has continued us; he may have meant this process alone.
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
        // The thread is a daemon and ends with the program; a signal that comes now is for nobody.
    }
}
