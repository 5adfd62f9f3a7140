package dev.execserver.sandbox.tree;

import dev.execserver.sandbox.io.Drain;
import dev.execserver.sandbox.linux.LinuxException;
import dev.execserver.sandbox.linux.ProcessCalls;
import dev.execserver.sandbox.spawn.Child;
import dev.execserver.sandbox.spawn.ExitStatus;
import dev.execserver.sandbox.spawn.Launch;
import dev.execserver.sandbox.spawn.ProcessMarks;
import dev.execserver.sandbox.spawn.SpawnRequest;
import dev.execserver.sandbox.spawn.Spawner;
import dev.execserver.sandbox.spawn.Stdio;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * Runs a small program of the system to its end, within a time limit, and returns its output. Called by virtual threads,
 * which park. No locks of its own.
 */
public final class BoundedRun {
    /** Output limit. No more is read; the program then blocks in its write and is killed when the time is up. */
    private static final int MAX_OUTPUT = 64 * 1024;

    private static final List<String> ENVIRONMENT = List.of("PATH=/usr/bin:/bin:/usr/sbin:/sbin", "LC_ALL=C");

    private static final byte[] ROOT = SpawnRequest.bytes("/");

    /** Lowest exit code that stands for a signal. */
    private static final int SIGNALED = 128;

    private final Spawner spawner;
    private final ProcessMarks marks;
    private final ProcessTree tree;

    public BoundedRun(Spawner spawner, ProcessMarks marks, ProcessTree tree) {
        this.spawner = spawner;
        this.marks = marks;
        this.tree = tree;
    }

    /** The result of a run. */
    public sealed interface Result {
        /**
         * Returns true if a second run would give the same result; false if the program was killed, timed out or did not
         * start.
         */
        default boolean settled() {
            return false;
        }

        /** The program ended by itself or by a signal. */
        record Ended(int code, String out, String err) implements Result {
            public boolean ok() {
                return code == 0;
            }

            @Override
            public boolean settled() {
                return code < SIGNALED;
            }
        }

        /** The program was killed when its time was up. */
        record TimedOut(Duration limit) implements Result {}

        /** The program could not be started. */
        record NotStarted(String reason) implements Result {}
    }

    /** Runs a program with a fixed environment, in the root directory, without input. */
    public Result run(Duration limit, String program, List<String> arguments) {
        return run(limit, Launch.plain(program), arguments);
    }

    /** Runs a program that may be pinned, in the same way. */
    public Result run(Duration limit, Launch program, List<String> arguments) {
        List<String> argv = program.argv(new String(program.program(), StandardCharsets.UTF_8), arguments);
        Child child;
        try {
            child = spawner.spawn(
                    new SpawnRequest(program.program(), argv, ENVIRONMENT, ROOT, new Stdio.Pipes(false), marks.next()));
        } catch (LinuxException e) {
            return new Result.NotStarted(e.getMessage());
        }
        try {
            return finish(child, limit);
        } finally {
            child.closeStreams();
        }
    }

    private Result finish(Child child, Duration limit) {
        long deadline = System.nanoTime() + limit.toNanos();
        String out = Drain.untilEnd(child.stdout(), MAX_OUTPUT, left(deadline));
        String err = Drain.untilEnd(child.stderr().orElseThrow(), MAX_OUTPUT, left(deadline));
        Optional<ExitStatus> exit = Optional.empty();
        try {
            exit = child.awaitExit(left(deadline));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        if (exit.isEmpty()) {
            child.signalGroup(ProcessCalls.SIGKILL);
            boolean _ = tree.kill(child); // false: it hangs in the kernel and dies when the kernel lets it
            return new Result.TimedOut(limit);
        }
        return new Result.Ended(exit.get().code(), out, err);
    }

    private static Duration left(long deadline) {
        return Duration.ofNanos(Math.max(1, deadline - System.nanoTime()));
    }
}
