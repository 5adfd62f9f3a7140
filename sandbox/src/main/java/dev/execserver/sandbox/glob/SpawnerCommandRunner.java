package dev.execserver.sandbox.glob;

import dev.execserver.sandbox.io.AsyncFd;
import dev.execserver.sandbox.io.Drain;
import dev.execserver.sandbox.linux.LinuxException;
import dev.execserver.sandbox.linux.LongWork;
import dev.execserver.sandbox.paths.LinuxPath;
import dev.execserver.sandbox.paths.PolicyRefusedException;
import dev.execserver.sandbox.spawn.Child;
import dev.execserver.sandbox.spawn.Launch;
import dev.execserver.sandbox.spawn.ProcessMark;
import dev.execserver.sandbox.spawn.SpawnRequest;
import dev.execserver.sandbox.spawn.Spawner;
import dev.execserver.sandbox.spawn.Stdio;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.function.Function;

/**
 * Runs programs with the spawner of the server. The calling file worker waits, and a virtual thread reads stderr meanwhile.
 * No locks.
 */
public final class SpawnerCommandRunner implements CommandRunner {
    /** Time limit; a search that takes longer refuses the policy. */
    public static final Duration LIMIT = Duration.ofSeconds(30);

    /** Output limit, 8,192 paths of the greatest length; a search that writes more refuses the policy. */
    public static final int MAX_OUTPUT_BYTES = 32 << 20;

    private static final int MAX_ERROR_BYTES = 64 << 10;
    private static final int SIGKILL = 9;

    private final Spawner spawner;
    private final Duration limit;
    private final Function<LinuxPath, Launch> launches;

    /** Makes a runner for any program on the disk. */
    public SpawnerCommandRunner(Spawner spawner, Duration limit) {
        this(spawner, limit, program -> Launch.plain(program.bytes()));
    }

    /** Makes a runner of one program, even if its path leads to another file now. */
    public SpawnerCommandRunner(Spawner spawner, Duration limit, Launch program) {
        this(spawner, limit, _ -> program);
    }

    private SpawnerCommandRunner(Spawner spawner, Duration limit, Function<LinuxPath, Launch> launches) {
        this.spawner = spawner;
        this.limit = limit;
        this.launches = launches;
    }

    @Override
    public Output run(LinuxPath program, List<String> arguments, LinuxPath cwd) {
        Launch launch = launches.apply(program);
        // The C locale, because people read the error texts in logs of many machines. No code matches them.
        SpawnRequest request = new SpawnRequest(
                launch.program(),
                launch.argv(program.toString(), arguments),
                List.of("PATH=/usr/bin:/bin", "LC_ALL=C"),
                cwd.bytes(),
                new Stdio.Pipes(false),
                ProcessMark.NONE,
                List.of());
        Child child;
        try {
            child = spawner.spawn(request);
        } catch (LinuxException e) {
            throw new PolicyRefusedException(program + " cannot be started in " + cwd + ": " + e.getMessage());
        }
        try {
            return finish(child, program, cwd);
        } finally {
            child.signal(SIGKILL);
            child.closeStreams();
        }
    }

    private Output finish(Child child, LinuxPath program, LinuxPath cwd) {
        long deadline = System.nanoTime() + limit.toNanos();
        AsyncFd errors = child.stderr().orElseThrow();
        FutureTask<String> stderr = new FutureTask<>(() -> Drain.untilEnd(errors, MAX_ERROR_BYTES, left(deadline)));
        GlobThreads.virtual("search-errors", stderr);
        byte[] stdout = Drain.bytesUntilEnd(child.stdout(), MAX_OUTPUT_BYTES + 1, left(deadline), LongWork::step);
        if (stdout.length > MAX_OUTPUT_BYTES) {
            throw new PolicyRefusedException(program + " says more than " + MAX_OUTPUT_BYTES + " bytes");
        }
        try {
            int code = child.awaitExit(left(deadline))
                    .orElseThrow(() -> new PolicyRefusedException(
                            program + " in " + cwd + " did not end within " + limit.toSeconds() + " s"))
                    .code();
            return new Output(code, stdout, stderr.get());
        } catch (ExecutionException e) {
            throw new PolicyRefusedException(
                    program + " in " + cwd + ": " + e.getCause().getMessage());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new PolicyRefusedException(program + " in " + cwd + " was interrupted");
        }
    }

    private static Duration left(long deadline) {
        return Duration.ofNanos(Math.max(1, deadline - System.nanoTime()));
    }
}
