package dev.execserver.sandbox.spawn;

import dev.execserver.sandbox.io.AsyncFd;
import dev.execserver.sandbox.io.Buffers;
import dev.execserver.sandbox.tree.ProcessTree;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

/**
 * Measures figures for the README; not a test. Run the main method with the test class path. Arguments choose the parts, none
 * means all: {@code sequential}, {@code parallel}, {@code throughput}, {@code kill}.
 */
final class SpawnBenchmark {
    private static final Buffers BUFFERS = new Buffers(64);

    private SpawnBenchmark() {}

    public static void main(String[] arguments) {
        List<String> parts =
                arguments.length == 0 ? List.of("sequential", "parallel", "throughput", "kill") : List.of(arguments);
        try (ProcessFixture fixture = new ProcessFixture()) {
            for (int round = 0; round < 3; round++) {
                for (String part : parts) {
                    switch (part) {
                        case "sequential" -> sequential(fixture);
                        case "parallel" -> parallel(fixture);
                        case "throughput" -> throughput(fixture);
                        case "kill" -> killMany(fixture);
                        default -> throw new IllegalArgumentException(part);
                    }
                }
            }
        }
    }

    private static void sequential(ProcessFixture fixture) {
        long[] nanos = new long[500];
        ProcessFixture.onVirtualThread(() -> {
            for (int i = 0; i < nanos.length; i++) {
                long start = System.nanoTime();
                shortCommand(fixture);
                nanos[i] = System.nanoTime() - start;
            }
            return null;
        });
        Arrays.sort(nanos);
        System.out.printf(
                "spawn+drain+reap one after another: p50 %d us, p90 %d us%n",
                nanos[nanos.length / 2] / 1000, nanos[nanos.length * 9 / 10] / 1000);
    }

    private static void parallel(ProcessFixture fixture) {
        int each = 60;
        long start = System.nanoTime();
        ProcessFixture.inParallel(32, () -> {
            for (int i = 0; i < each; i++) {
                shortCommand(fixture);
            }
            return null;
        });
        double seconds = (System.nanoTime() - start) / 1e9;
        System.out.printf("32 at once: %.0f/s, %.0f us each%n", 32 * each / seconds, seconds * 1e6 / (32 * each));
    }

    private static void throughput(ProcessFixture fixture) {
        long start = System.nanoTime();
        long bytes = ProcessFixture.onVirtualThread(() -> {
            Child child = fixture.start(new Stdio.Pipes(false), "/usr/bin/head", "-c", "" + (1L << 30), "/dev/zero");
            long total = drain(child.stdout());
            child.awaitExit();
            child.closeStreams();
            return total;
        });
        System.out.printf("1 GiB through a pipe: %.0f MB/s%n", bytes / 1e6 / ((System.nanoTime() - start) / 1e9));
    }

    private static void killMany(ProcessFixture fixture) {
        try (ProcessTree tree = new ProcessTree()) {
            List<Child> children = new ArrayList<>();
            for (int i = 0; i < 2000; i++) {
                children.add(fixture.start(new Stdio.Pipes(false), "/bin/sleep", "5000"));
            }
            long start = System.nanoTime();
            tree.anyAlive(fixture.marks.next());
            System.out.printf("scan of 2,000 processes: %.1f ms%n", (System.nanoTime() - start) / 1e6);
            start = System.nanoTime();
            for (int i = 0; i < 20; i++) {
                tree.anyAlive(fixture.marks.next());
            }
            System.out.printf("scan of 2,000 processes, mean of 20: %.1f ms%n", (System.nanoTime() - start) / 20e6);
            Queue<Child> doomed = new ConcurrentLinkedQueue<>(children);
            start = System.nanoTime();
            ProcessFixture.inParallel(2000, () -> tree.kill(doomed.remove()));
            System.out.printf("2,000 trees ended by 2,000 callers: %.0f ms%n", (System.nanoTime() - start) / 1e6);
            children.forEach(Child::awaitExit);
            System.out.printf("and reaped: %.0f ms%n", (System.nanoTime() - start) / 1e6);
            children.forEach(Child::closeStreams);
        }
    }

    private static void shortCommand(ProcessFixture fixture) {
        Child child = fixture.start(new Stdio.Pipes(false), "/bin/true");
        drain(child.stdout());
        child.stderr().ifPresent(SpawnBenchmark::drain);
        child.awaitExit();
        child.closeStreams();
    }

    private static long drain(AsyncFd fd) {
        long total = 0;
        try (Buffers.Lease lease = BUFFERS.borrow()) {
            int count;
            while ((count = fd.read(lease.segment())) > 0) {
                total += count;
            }
        }
        return total;
    }
}
