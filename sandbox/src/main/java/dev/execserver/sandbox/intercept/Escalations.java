package dev.execserver.sandbox.intercept;

import dev.execserver.sandbox.linux.Errno;
import dev.execserver.sandbox.linux.Fd;
import dev.execserver.sandbox.linux.LinuxException;
import dev.execserver.sandbox.linux.ProcessCalls;
import dev.execserver.sandbox.seccomp.Machine;
import dev.execserver.sandbox.spawn.ExitStatus;
import dev.execserver.sandbox.spawn.SpawnRequest;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BooleanSupplier;
import java.util.function.IntConsumer;

/**
 * Runs programs outside of the sandbox while the task that asked waits. All that is used was read before the start. A worker
 * prepares and starts, a virtual thread of each program waits for its end.
 */
final class Escalations {
    private static final System.Logger LOG = System.getLogger(Escalations.class.getName());
    /** Time between two looks at the task: whether it waits, and which signals it has got. */
    private static final Duration STEP = Duration.ofMillis(25);

    private static final long GRACE_NANOS = Duration.ofSeconds(2).toNanos();
    /** Of a start that is disturbed. */
    private static final int ATTEMPTS = 60;

    private static final int SIGNALED = 128;
    private static final int NOT_EXECUTABLE = 126;
    private static final int SIGNALS = 64;

    private final Machine machine;
    private final CommandWorkers workers;

    Escalations(Machine machine, CommandWorkers workers) {
        this.machine = machine;
        this.workers = workers;
    }

    /**
     * Begins an escalation.
     *
     * @param exit ends the task with a code, on a worker
     * @param answered runs when the task has its answer
     */
    void begin(
            PendingCall exec,
            ExecRequest request,
            ExecDecision.Escalate how,
            ExecPolicy policy,
            IntConsumer exit,
            Runnable answered) {
        InterceptThreads.virtual("exec-escalation-" + exec.tid(), () -> {
            AtomicReference<Optional<EscalatedRun>> started = new AtomicReference<>(Optional.empty());
            CompletableFuture<Void> begun = new CompletableFuture<>();
            boolean accepted = workers.run(() -> finish(() -> begun.complete(null), () -> {
                started.set(start(exec, request, how));
                if (started.get().isEmpty()) {
                    exit.accept(NOT_EXECUTABLE);
                }
            }));
            if (!accepted) {
                boolean _ = exec.fail(Errno.EAGAIN);
                answered.run();
                return;
            }
            begun.join();
            if (started.get().isEmpty()) {
                answered.run();
            } else {
                follow(exec, request, started.get().get(), policy, exit, answered);
            }
        });
    }

    private void follow(
            PendingCall exec,
            ExecRequest request,
            EscalatedRun run,
            ExecPolicy policy,
            IntConsumer exit,
            Runnable answered) {
        ExitStatus status = await(exec::waiting, exec.tid(), request.pid(), run);
        policy.ended(request, status);
        boolean accepted = workers.run(() -> finish(answered, () -> {
            run.close();
            end(exec, request.pid(), status, exit);
        }));
        if (!accepted) {
            run.close();
            boolean _ = exec.fail(Errno.EAGAIN);
            answered.run();
        }
    }

    private static void finish(Runnable answered, Runnable work) {
        try {
            work.run();
        } finally {
            answered.run();
        }
    }

    private Optional<EscalatedRun> start(PendingCall exec, ExecRequest request, ExecDecision.Escalate how) {
        if (!request.program().onHost()) {
            ErrorLine.write(
                    request.pid(),
                    "exec-server: " + request.program().text()
                            + " is another file outside of the sandbox, not executed");
            return Optional.empty();
        }
        try (TaskCopy copy = new TaskCopy(exec.tid())) {
            var environment = how.environment().clean(request.environment().get());
            var stage = copy.request(machine, request.program().path(), request.argv(), environment);
            if (!exec.waiting()) {
                return Optional.empty();
            }
            how.lastLook().run();
            return Optional.of(start(how.start(), stage, copy.directory()));
        } catch (LinuxException | EscalationRefusedException e) {
            LOG.log(
                    System.Logger.Level.WARNING,
                    "not escalated: " + request.program().text(),
                    e);
            ErrorLine.write(request.pid(), "exec-server: not executed outside of the sandbox: " + e.getMessage());
            return Optional.empty();
        }
    }

    static EscalatedRun start(EscalatedStart start, SpawnRequest stage, byte[] directory) {
        for (int attempt = 1; ; attempt++) {
            try {
                return start.start(stage, directory);
            } catch (EscalationRefusedException e) {
                if (!e.temporary() || attempt == ATTEMPTS) {
                    throw e;
                }
            }
        }
    }

    /** Waits for the program. What is sent to the task is passed on, and when the task is gone, the program must end. */
    static ExitStatus await(BooleanSupplier waiting, int tid, int process, EscalatedRun run) {
        try (Watched task = new Watched(ProcessCalls.tryPidfdOpen(process))) {
            return await(waiting, tid, task, run);
        }
    }

    private static ExitStatus await(BooleanSupplier waiting, int tid, Watched task, EscalatedRun run) {
        long seen = 0;
        Optional<Long> deadline = Optional.empty();
        while (true) {
            Optional<ExitStatus> status = exit(run);
            if (status.isPresent()) {
                return status.get();
            }
            if (deadline.isPresent()) {
                if (System.nanoTime() - deadline.get() > 0) {
                    run.kill();
                }
            } else if (waiting.getAsBoolean()) {
                seen = passOn(tid, seen, run);
            } else {
                run.signal(task.endedBy());
                run.signal(ProcessCalls.SIGCONT);
                deadline = Optional.of(System.nanoTime() + GRACE_NANOS);
            }
        }
    }

    /** The process that asked. */
    private record Watched(Optional<Fd> pidfd) implements AutoCloseable {
        /** Returns the signal that has ended it, or SIGTERM. */
        int endedBy() {
            return pidfd.map(ProcessCalls::endedBy)
                    .orElseGet(OptionalInt::empty)
                    .orElse(ProcessCalls.SIGTERM);
        }

        @Override
        public void close() {
            pidfd.ifPresent(Fd::close);
        }
    }

    private static Optional<ExitStatus> exit(EscalatedRun run) {
        try {
            return run.awaitExit(STEP);
        } catch (InterruptedException e) {
            // The decision was forgotten; the loop sees that the task is gone.
            return Optional.empty();
        }
    }

    /** Sends the program what waits for the task since the last look. Returns what waits now. */
    private static long passOn(int tid, long seen, EscalatedRun run) {
        long pending;
        try {
            pending = TaskStatus.of(tid).pending();
        } catch (LinuxException e) {
            return seen; // gone, as the next look shows
        }
        for (int signal = 1; signal <= SIGNALS; signal++) {
            if ((pending & ~seen & 1L << (signal - 1)) != 0) {
                run.signal(signal);
            }
        }
        return pending;
    }

    /** Ends the task as the program has ended: with its code, or by the same signal. */
    private static void end(PendingCall exec, int process, ExitStatus status, IntConsumer exit) {
        if (status.signaled()) {
            try (Fd pidfd = ProcessCalls.pidfdOpen(process)) {
                if (exec.waiting() && TaskStatus.of(exec.tid()).endsBy(status.signal())) {
                    boolean _ = ProcessCalls.pidfdSendSignal(pidfd, status.signal());
                    // A signal that writes a core file waits until the system call ends.
                    boolean _ = exec.fail(Errno.EINTR);
                    return;
                }
            } catch (LinuxException e) {
                return; // gone
            }
        }
        exit.accept(status.signaled() ? SIGNALED + status.signal() : status.code());
    }
}
