package dev.execserver.sandbox.intercept;

import dev.execserver.sandbox.linux.Errno;
import dev.execserver.sandbox.linux.Fd;
import dev.execserver.sandbox.linux.LinuxException;
import dev.execserver.sandbox.linux.NotifyCalls;
import dev.execserver.sandbox.linux.ProcStatus;
import dev.execserver.sandbox.linux.ProcessCalls;
import dev.execserver.sandbox.seccomp.Machine;
import dev.execserver.sandbox.spawn.Child;
import dev.execserver.sandbox.spawn.ExitStatus;
import dev.execserver.sandbox.spawn.ProcessMarks;
import dev.execserver.sandbox.spawn.SpawnRequest;
import dev.execserver.sandbox.spawn.Spawner;
import dev.execserver.sandbox.spawn.Stdio;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Tries the interception: a shell runs a program once for each kind of decision, and its exit codes tell whether the decision
 * was carried out. It also loads the code of this package. A thread that may wait uses it, once.
 */
public final class InterceptProbe {
    private static final String SHELL = "/bin/sh";
    private static final String SCRIPT = "/bin/true; exit $?";
    private static final int DENIED = 126;
    private static final int ENDED = 42;

    private static final String YAMA = "/proc/sys/kernel/yama/ptrace_scope";

    private final ExecSupervisor supervisor;
    private final Spawner spawner;
    private final ProcessMarks marks;
    private final Duration limit;

    /** @param limit for each of the five programs */
    public InterceptProbe(ExecSupervisor supervisor, Spawner spawner, ProcessMarks marks, Duration limit) {
        this.supervisor = supervisor;
        this.spawner = spawner;
        this.marks = marks;
        this.limit = limit;
    }

    /**
     * The reason why programs cannot be intercepted here.
     *
     * @param reason the observation
     * @param remedy what the operator can do
     */
    public record Obstacle(String reason, String remedy) {}

    private record Trial(ExecDecision decision, int code) {}

    /** Returns false if it is clear without a trial that calls cannot be intercepted here. Starts nothing. */
    public static boolean promising() {
        return Machine.current().isPresent()
                && NotifyCalls.supported()
                && descriptorsAreShared()
                && (!yamaForbids() || ProcessCalls.effectiveUser() == 0);
    }

    /** Returns false under a filter that forbids pidfd_getfd(2), as container engines have it. */
    private static boolean descriptorsAreShared() {
        try (Fd own = ProcessCalls.pidfdOpen(ProcessCalls.ownPid());
                Fd _ = ProcessCalls.descriptorOf(own, own.number()).orElseThrow()) {
            return true;
        } catch (LinuxException e) {
            return false;
        }
    }

    private static boolean yamaForbids() {
        String yama = ProcStatus.whole(YAMA).strip();
        return yama.equals("2") || yama.equals("3");
    }

    /** Returns the obstacle; empty if every decision works. */
    public Optional<Obstacle> attempt() {
        Map<String, Trial> trials = new LinkedHashMap<>();
        trials.put("allowed", new Trial(new ExecDecision.Run(), 0));
        trials.put("denied", new Trial(new ExecDecision.Errno(Errno.EACCES), DENIED));
        trials.put("verified", new Trial(new ExecDecision.RunVerified(), 0));
        trials.put("ended", new Trial(new ExecDecision.Exit(ENDED, ""), ENDED));
        trials.put(
                "escalated",
                new Trial(
                        new ExecDecision.Escalate(
                                TrustedEnvironment.standard(), EscalatedStart.unconfined(spawner), () -> {}),
                        0));
        for (Map.Entry<String, Trial> trial : trials.entrySet()) {
            Optional<Obstacle> obstacle = attempt(trial.getKey(), trial.getValue());
            if (obstacle.isPresent()) {
                return obstacle;
            }
        }
        return Optional.empty();
    }

    private Optional<Obstacle> attempt(String name, Trial trial) {
        Child child;
        Interception interception = supervisor.intercept(request -> trial.decision());
        try {
            child = spawner.spawn(new SpawnRequest(
                            SHELL, List.of("sh", "-c", SCRIPT), List.of(), "/", new Stdio.Pipes(false), marks.next())
                    .restrictedBy(interception));
        } catch (LinuxException e) {
            interception.close();
            return Optional.of(new Obstacle(e.getMessage(), remedy(e.errno())));
        }
        try {
            Optional<Integer> code = exit(child);
            if (code.isEmpty()) {
                return Optional.of(new Obstacle(
                        "a program that was " + name + " did not end within " + limit.toMillis() + " ms", remedy(0)));
            }
            return code.get() == trial.code()
                    ? Optional.empty()
                    : Optional.of(new Obstacle(
                            "a program that was " + name + " ended with " + code.get() + " instead of " + trial.code(),
                            remedy(0)));
        } finally {
            interception.close();
            child.closeStreams();
        }
    }

    private Optional<Integer> exit(Child child) {
        Optional<ExitStatus> status = Optional.empty();
        try {
            status = child.awaitExit(limit);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        if (status.isEmpty()) {
            child.signalGroup(ProcessCalls.SIGKILL);
        }
        return status.map(ExitStatus::code);
    }

    private static String remedy(int errno) {
        if (yamaForbids()) {
            return "Allow the server to trace its own descendants: sysctl kernel.yama.ptrace_scope=1 (3 needs a restart of the"
                    + " machine), or give it CAP_SYS_PTRACE.";
        }
        return switch (errno) {
            case Errno.EBUSY ->
                "The container engine has a system call filter with a listener of its own; run the container without it.";
            case Errno.EINVAL, Errno.ENOSYS -> "It takes Linux 5.19 with CONFIG_SECCOMP_FILTER.";
            default ->
                "It takes ptrace(2), pidfd_getfd(2) and seccomp(2) with a listener; in a container run it with"
                        + " --security-opt seccomp=docker/seccomp.json (docs/containers.md).";
        };
    }
}
