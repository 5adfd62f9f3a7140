package dev.execserver.sandbox.spawn;

import dev.execserver.sandbox.io.AsyncFd;
import dev.execserver.sandbox.io.KernelPtyFactory;
import dev.execserver.sandbox.io.Poller;
import dev.execserver.sandbox.io.PtyFactory;
import dev.execserver.sandbox.io.PtyPair;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.stream.Stream;

/** One poller and one spawner for a test class, with short helper methods. */
public final class ProcessFixture implements AutoCloseable {
    public static final List<String> ENVIRONMENT = List.of("PATH=/usr/bin:/bin");

    final Poller poller = new Poller();
    public final Spawner spawner = new Spawner(poller);
    public final ProcessMarks marks = ProcessMarks.create();
    public final PtyFactory ptys = new KernelPtyFactory(poller);

    /** The output of a process and its exit status. */
    public record Outcome(String out, String err, ExitStatus status) {}

    public Child start(Stdio stdio, String... argv) {
        return spawner.spawn(new SpawnRequest(argv[0], List.of(argv), ENVIRONMENT, "/", stdio, marks.next()));
    }

    public Child shell(String script) {
        return start(new Stdio.Pipes(false), "/bin/sh", "-c", script);
    }

    public Child shellOnTerminal(PtyPair pair, String script) {
        return start(new Stdio.Terminal(pair), "/bin/sh", "-c", script);
    }

    Outcome run(String script) {
        return finish(shell(script));
    }

    Outcome runOnTerminal(String script) {
        return finish(shellOnTerminal(ptys.open(24, 80), script));
    }

    public static Outcome finish(Child child) {
        try {
            FutureTask<String> err = new FutureTask<>(
                    () -> child.stderr().map(ProcessFixture::readAll).orElse(""));
            Thread.ofVirtual().start(err);
            String out = readAll(child.stdout());
            return new Outcome(out, join(err), child.awaitExit());
        } finally {
            child.closeStreams();
        }
    }

    public static String readAll(AsyncFd fd) {
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        try (Arena arena = Arena.ofShared()) {
            MemorySegment buffer = arena.allocate(16 * 1024);
            int count;
            while ((count = fd.read(buffer)) > 0) {
                all.writeBytes(buffer.asSlice(0, count).toArray(ValueLayout.JAVA_BYTE));
            }
        }
        return all.toString(StandardCharsets.UTF_8);
    }

    /** Reads without waiting until nothing is left. Returns the number of bytes. */
    public static int readWhatIsThere(AsyncFd fd) {
        int all = 0;
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment buffer = arena.allocate(4096);
            int count;
            while ((count = fd.tryRead(buffer)) > 0) {
                all += count;
            }
        }
        return all;
    }

    /** Reads until the text has come. Output after the text may be lost. */
    public static String readUntil(AsyncFd fd, String text) {
        StringBuilder all = new StringBuilder();
        try (Arena arena = Arena.ofShared()) {
            MemorySegment buffer = arena.allocate(4096);
            while (all.indexOf(text) < 0) {
                int count = fd.read(buffer);
                if (count == 0) {
                    throw new AssertionError("stream ended after: " + all);
                }
                byte[] bytes = buffer.asSlice(0, count).toArray(ValueLayout.JAVA_BYTE);
                all.append(new String(bytes, StandardCharsets.UTF_8));
            }
        }
        return all.toString();
    }

    public static void write(AsyncFd fd, String text) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        try (Arena arena = Arena.ofShared()) {
            MemorySegment all = arena.allocate(bytes.length);
            all.copyFrom(MemorySegment.ofArray(bytes));
            long written = 0;
            while (written < bytes.length) {
                written += fd.write(all.asSlice(written));
            }
        }
    }

    public static <T> T onVirtualThread(Callable<T> body) {
        FutureTask<T> task = new FutureTask<>(body);
        Thread.ofVirtual().start(task);
        return join(task);
    }

    public static <T> T join(FutureTask<T> task) {
        try {
            return task.get();
        } catch (ExecutionException e) {
            throw new AssertionError(e.getCause());
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    /** Runs the bodies on virtual threads at the same time and rethrows the first failure. */
    public static void inParallel(int threads, Callable<?> body) {
        List<FutureTask<?>> tasks = new ArrayList<>();
        for (int i = 0; i < threads; i++) {
            FutureTask<?> task = new FutureTask<>(body);
            tasks.add(task);
            Thread.ofVirtual().start(task);
        }
        tasks.forEach(ProcessFixture::join);
    }

    public static int openDescriptors() {
        try (Stream<Path> entries = Files.list(Path.of("/proc/self/fd"))) {
            return (int) entries.count();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void close() {
        spawner.close();
        poller.close();
    }
}
