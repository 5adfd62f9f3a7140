package dev.execserver.sandbox.intercept;

import dev.execserver.sandbox.linux.Errno;
import dev.execserver.sandbox.linux.FileCalls;
import dev.execserver.sandbox.linux.LinuxException;
import dev.execserver.sandbox.linux.NotifyCalls.Notification;
import dev.execserver.sandbox.linux.ProcessCalls;
import dev.execserver.sandbox.seccomp.Machine;
import dev.execserver.sandbox.seccomp.NotifyFilter;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;

/**
 * Reads the execs of one command, has them decided and carries the decisions out.
 *
 * <p>Workers examine and carry out, a virtual thread of each exec asks the policy. The counters are atomic.
 */
final class ExecExaminer {
    private static final System.Logger LOG = System.getLogger(ExecExaminer.class.getName());
    private static final int AT_EMPTY_PATH = 0x1000;
    private static final int AT_SYMLINK_NOFOLLOW = 0x100;
    /** Asks if a file may be executed, and executes nothing, see execveat(2). */
    private static final int AT_EXECVE_CHECK = 0x10000;

    /** Arguments of all open questions of one command; beyond it execs fail with EAGAIN. */
    private static final long MAX_OPEN_BYTES = 64L << 20;

    private final Machine machine;
    private final CommandWorkers workers;
    private final ExecPolicy policy;
    private final Escalations escalations;
    private final boolean verifyAll;
    private final AtomicInteger starts = new AtomicInteger(1);
    private final AtomicInteger startsLeft = new AtomicInteger();
    private final AtomicLong openBytes = new AtomicLong();
    private volatile long home;

    /** The arguments of an exec that are plain numbers. */
    private record Call(int directory, long path, long argv, long environment, int flags) {}

    /** @param verifyAll true if every program that runs in the sandbox is verified */
    ExecExaminer(
            Machine machine, CommandWorkers workers, ExecPolicy policy, Escalations escalations, boolean verifyAll) {
        this.machine = machine;
        this.workers = workers;
        this.policy = policy;
        this.escalations = escalations;
        this.verifyAll = verifyAll;
    }

    /** One more program comes before that of the command. */
    void alsoExecuted() {
        starts.incrementAndGet();
    }

    /** The command is started now; the first exec is not examined. On a spawner thread. */
    void starting() {
        startsLeft.set(starts.get() - 1);
        home = namespace("self");
    }

    /** Examines an exec. Runs {@code done} once, when it is answered. */
    void examine(PendingCall exec, Runnable done) {
        boolean asked = false;
        try {
            Call call = call(exec.notification());
            TaskStatus task = TaskStatus.of(exec.tid());
            ExecRequest request = read(exec, call, task);
            if (!exec.waiting()) {
                return; // what was read may be of another task that has got the number
            }
            if (startsLeft.get() > 0) {
                start(exec);
                return;
            }
            long bytes = request.argv().stream()
                    .mapToLong(argument -> argument.length)
                    .sum();
            asked = openBytes.addAndGet(bytes) <= MAX_OPEN_BYTES;
            Runnable answered = () -> {
                openBytes.addAndGet(-bytes);
                done.run();
            };
            if (asked) {
                ask(exec, request, call, answered);
            } else {
                openBytes.addAndGet(-bytes);
                fail(exec, Errno.EAGAIN);
            }
        } catch (LinuxException e) {
            fail(exec, e.errno() == Errno.ESRCH ? Errno.EACCES : e.errno());
        } finally {
            if (!asked) {
                fail(exec, Errno.EACCES); // nothing else has answered
                done.run();
            }
        }
    }

    private void start(PendingCall exec) {
        if (startsLeft.decrementAndGet() == 0) {
            home = namespace(Integer.toString(exec.tid()));
        }
        if (exec.claim()) {
            boolean _ = exec.proceed();
        }
    }

    private Call call(Notification notification) {
        long[] given = notification.arguments();
        return NotifyFilter.isExecveat(machine, notification.number())
                ? new Call((int) given[0], given[1], given[2], given[3], (int) given[4])
                : new Call(FileCalls.AT_FDCWD, given[0], given[1], given[2], 0);
    }

    private ExecRequest read(PendingCall exec, Call call, TaskStatus task) {
        int tid = exec.tid();
        try (TaskMemory memory = new TaskMemory(tid)) {
            byte[] typed = memory.string(call.path(), ProgramWalk.MAX_PATH, Errno.ENAMETOOLONG);
            boolean itself = (call.flags() & AT_EMPTY_PATH) != 0;
            boolean follow = (call.flags() & AT_SYMLINK_NOFOLLOW) == 0;
            ProgramFile program = ProgramWalk.find(tid, task, call.directory(), typed, itself, follow);
            List<byte[]> argv = memory.strings(call.argv());
            byte[] name = ExecExpectation.name(typed, call.directory());
            return new ExecRequest(
                    task.process(),
                    task.parent(),
                    program,
                    InvolvedPrograms.of(
                            program,
                            name,
                            argv,
                            () -> memory.strings(call.environment()),
                            ProgramWalk.finder(tid, task)),
                    typed,
                    argv,
                    FileCalls.readLink(bytes("/proc/" + tid + "/cwd")),
                    task.threads(),
                    () -> environment(exec, call));
        }
    }

    private static List<byte[]> environment(PendingCall exec, Call call) {
        try (TaskMemory memory = new TaskMemory(exec.tid())) {
            List<byte[]> strings = memory.strings(call.environment());
            if (!exec.waiting()) {
                throw new LinuxException("read", "environment of task " + exec.tid(), Errno.ESRCH);
            }
            return strings;
        }
    }

    private void ask(PendingCall exec, ExecRequest request, Call call, Runnable answered) {
        Optional<ExecDecision> atHand = decide(request, () -> policy.atHand(request));
        if (atHand.isPresent()) {
            carryOut(exec, request, call, atHand.get(), answered, this::now);
            return;
        }
        Thread decider = InterceptThreads.unstarted("exec-decision-" + exec.tid(), () -> {
            Optional<ExecDecision> decision = decide(request, () -> Optional.of(policy.decide(request)));
            carryOut(exec, request, call, decision.orElseThrow(), answered, this::worker);
        });
        exec.decidedBy(decider);
        decider.start();
    }

    private static Optional<ExecDecision> decide(ExecRequest request, Supplier<Optional<ExecDecision>> policy) {
        try {
            return policy.get();
        } catch (RuntimeException e) {
            LOG.log(
                    System.Logger.Level.WARNING,
                    "no decision about " + request.program().text() + ", denied",
                    e);
            return Optional.of(new ExecDecision.Errno(Errno.EACCES));
        }
    }

    /** The way to do work that only a worker may do. */
    private interface Hand {
        void over(PendingCall exec, Runnable work, Runnable answered);
    }

    private void carryOut(
            PendingCall exec, ExecRequest request, Call call, ExecDecision decision, Runnable answered, Hand hand) {
        if (!exec.claim()) {
            answered.run(); // closed meanwhile
            return;
        }
        if ((call.flags() & AT_EXECVE_CHECK) != 0) {
            check(exec, decision);
            answered.run();
            return;
        }
        switch (decision) {
            case ExecDecision.Run() -> hand.over(exec, () -> run(exec, request, call), answered);
            case ExecDecision.RunVerified() -> hand.over(exec, () -> verify(exec, request, call), answered);
            case ExecDecision.Errno(int number) -> {
                boolean _ = exec.fail(number); // false: the task is gone
                answered.run();
            }
            case ExecDecision.Exit(int code, String message) ->
                hand.over(exec, () -> exit(exec, code, message), answered);
            case ExecDecision.Escalate escalate ->
                escalations.begin(exec, request, escalate, policy, code -> exit(exec, code, ""), answered);
        }
    }

    /** Answers the question if a program may be executed; if so, the kernel has its say too. */
    private static void check(PendingCall exec, ExecDecision decision) {
        boolean _ = switch (decision) { // false: the task is gone
            case ExecDecision.Run(), ExecDecision.RunVerified(), ExecDecision.Escalate _ -> exec.proceed();
            case ExecDecision.Errno(int number) -> exec.fail(number);
            case ExecDecision.Exit _ -> exec.fail(Errno.EACCES);
        };
    }

    /** Runs work on this thread, which is a worker, and then {@code answered}. */
    private void now(PendingCall exec, Runnable work, Runnable answered) {
        try {
            work.run();
        } catch (LinuxException e) {
            LOG.log(System.Logger.Level.WARNING, "a decision about task " + exec.tid() + " failed, denied", e);
            boolean _ = exec.fail(Errno.EACCES); // false: it was answered before
        } finally {
            answered.run();
        }
    }

    /** Runs work on a worker, and then {@code answered}. */
    private void worker(PendingCall exec, Runnable work, Runnable answered) {
        boolean accepted = workers.run(() -> now(exec, work, answered));
        if (!accepted) {
            boolean _ = exec.fail(Errno.EAGAIN);
            answered.run();
        }
    }

    private void run(PendingCall exec, ExecRequest request, Call call) {
        if (verifyAll || exchangeable(exec, request)) {
            verify(exec, request, call);
        } else {
            boolean _ = exec.proceed(); // false: the task is gone
        }
    }

    /** Returns true if somebody could make the kernel find another program than the one that was decided. */
    private boolean exchangeable(PendingCall exec, ExecRequest request) {
        return request.threads() > 1
                || !request.program().stable()
                || ProcessCalls.mayShareMemory(request.pid(), request.parentPid())
                || namespace(Integer.toString(exec.tid())) != home;
    }

    private void verify(PendingCall exec, ExecRequest request, Call call) {
        ExecExpectation expected = ExecExpectation.of(request, call.directory());
        if (!Tracing.verified(exec, expected::met)) {
            policy.exchanged(request);
        }
    }

    private static void exit(PendingCall exec, int code, String message) {
        ErrorLine.write(processOf(exec), message);
        Tracing.exit(exec, code);
    }

    private static int processOf(PendingCall exec) {
        try {
            return TaskStatus.of(exec.tid()).process();
        } catch (LinuxException e) {
            return exec.tid(); // gone
        }
    }

    private static void fail(PendingCall exec, int errno) {
        if (exec.claim()) {
            boolean _ = exec.fail(errno); // false: the task is gone
        }
    }

    /** Returns the number of a task's mount namespace; 0 if it is gone. */
    private static long namespace(String task) {
        try {
            return FileCalls.status(bytes("/proc/" + task + "/ns/mnt"), true).inode();
        } catch (LinuxException e) {
            return 0;
        }
    }

    private static byte[] bytes(String path) {
        return path.getBytes(StandardCharsets.US_ASCII);
    }
}
