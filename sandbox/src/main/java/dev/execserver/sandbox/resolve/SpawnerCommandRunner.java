package dev.execserver.sandbox.resolve;

import dev.execserver.sandbox.linux.LinuxException;
import dev.execserver.sandbox.spawn.AsyncFd;
import dev.execserver.sandbox.spawn.Child;
import dev.execserver.sandbox.spawn.ClosedException;
import dev.execserver.sandbox.spawn.ProcessMark;
import dev.execserver.sandbox.spawn.SpawnRequest;
import dev.execserver.sandbox.spawn.Spawner;
import dev.execserver.sandbox.spawn.Stdio;
import java.io.ByteArrayOutputStream;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Runs programs with the spawner of the server. The caller, a file worker, waits; each stream is read by a virtual thread,
 * which the poller parks. No locks.
 */
public final class SpawnerCommandRunner implements CommandRunner {
    /** A search that takes longer than this refuses the policy. */
    public static final Duration LIMIT = Duration.ofSeconds(30);

    /** As above for one that says more; 8,192 paths of the longest kind. */
    public static final int MAX_OUTPUT_BYTES = 32 << 20;

    private static final int MAX_ERROR_BYTES = 64 << 10;
    private static final int CHUNK_BYTES = 64 << 10;
    private static final int SIGKILL = 9;

    private final Spawner spawner;
    private final Duration limit;

    public SpawnerCommandRunner(Spawner spawner) {
        this(spawner, LIMIT);
    }

    SpawnerCommandRunner(Spawner spawner, Duration limit) {
        this.spawner = spawner;
        this.limit = limit;
    }

    @Override
    public Output run(LinuxPath program, List<String> arguments, LinuxPath cwd) {
        List<String> argv = new ArrayList<>(arguments);
        argv.addFirst(program.toString());
        // The C locale: error texts are matched by nobody, but read by people in logs of many machines.
        SpawnRequest request = new SpawnRequest(
                program.bytes(),
                argv,
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
            CompletableFuture<byte[]> out = readAll(program, child.stdout(), MAX_OUTPUT_BYTES);
            CompletableFuture<byte[]> err = readAll(program, child.stderr().orElseThrow(), MAX_ERROR_BYTES);
            long deadline = System.nanoTime() + limit.toNanos();
            byte[] stdout = within(deadline, out);
            String stderr = new String(within(deadline, err), StandardCharsets.UTF_8);
            int code = child.awaitExit(Duration.ofNanos(Math.max(0, deadline - System.nanoTime())))
                    .orElseThrow(TimeoutException::new)
                    .code();
            return new Output(code, stdout, stderr);
        } catch (TimeoutException e) {
            throw new PolicyRefusedException(
                    program + " in " + cwd + " did not end within " + limit.toSeconds() + " s");
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new PolicyRefusedException(program + " in " + cwd + " was interrupted");
        } finally {
            child.signal(SIGKILL);
            child.closeStreams();
        }
    }

    private static CompletableFuture<byte[]> readAll(LinuxPath program, AsyncFd stream, int maxBytes) {
        CompletableFuture<byte[]> all = new CompletableFuture<>();
        Threads.virtual("search-output", () -> {
            try {
                all.complete(read(program, stream, maxBytes));
            } catch (LinuxException | ClosedException | PolicyRefusedException e) {
                all.completeExceptionally(e);
            }
        });
        return all;
    }

    private static byte[] read(LinuxPath program, AsyncFd stream, int maxBytes) {
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        try (Arena arena = Arena.ofShared()) {
            MemorySegment buffer = arena.allocate(CHUNK_BYTES);
            int count;
            while ((count = stream.read(buffer)) > 0) {
                all.writeBytes(buffer.asSlice(0, count).toArray(ValueLayout.JAVA_BYTE));
                if (all.size() > maxBytes) {
                    throw new PolicyRefusedException(program + " says more than " + maxBytes + " bytes");
                }
            }
        }
        return all.toByteArray();
    }

    private static byte[] within(long deadline, CompletableFuture<byte[]> result)
            throws TimeoutException, InterruptedException {
        try {
            return result.get(Math.max(0, deadline - System.nanoTime()), TimeUnit.NANOSECONDS);
        } catch (ExecutionException e) {
            throw new PolicyRefusedException(e.getCause().getMessage());
        }
    }
}
