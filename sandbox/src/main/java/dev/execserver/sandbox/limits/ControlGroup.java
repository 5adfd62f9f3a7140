package dev.execserver.sandbox.limits;

import dev.execserver.sandbox.limits.ControlGroups.Controller;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;

/** The control group of one command; in version 1 one for each controller. Blocking; no two threads at a time. */
final class ControlGroup implements AutoCloseable {
    /** Only counted. */
    static final long UNLIMITED = Long.MAX_VALUE;

    /** A group is busy for a moment after the last process in it has ended. */
    private static final Duration BUSY = Duration.ofMillis(200);

    private static final Duration PAUSE = Duration.ofMillis(2);

    private final List<Part> parts;
    private final Consumer<Path> busy;

    /** @param busy takes what cannot be removed yet */
    ControlGroup(List<Part> parts, Consumer<Path> busy) {
        this.parts = List.copyOf(parts);
        this.busy = busy;
    }

    /** A directory with one controller. */
    record Part(Controller controller, boolean unified, Path path) {

        void limit(long value) throws IOException {
            switch (controller) {
                case PIDS -> write("pids.max", value);
                case MEMORY -> limitMemory(value);
                case CPU -> throw new IllegalArgumentException("processor time is only counted");
            }
        }

        /** Swap is memory too: a command that is to get so much gets no more by being swapped out. */
        private void limitMemory(long bytes) throws IOException {
            write(unified ? "memory.max" : "memory.limit_in_bytes", bytes);
            String swap = unified ? "memory.swap.max" : "memory.memsw.limit_in_bytes";
            if (Files.exists(path.resolve(swap))) { // not there without swap accounting, and then there is no swap
                write(swap, unified ? 0 : bytes);
            }
        }

        private void write(String file, long value) throws IOException {
            Files.writeString(path.resolve(file), Long.toString(value));
        }

        Optional<Long> peakMemory() {
            return controller == Controller.MEMORY
                    ? ControlGroups.number(path.resolve(unified ? "memory.peak" : "memory.max_usage_in_bytes"))
                    : Optional.empty();
        }

        Optional<Long> cpuMicros() {
            if (unified) {
                return ControlGroups.number(path.resolve("cpu.stat"), "usage_usec");
            }
            return controller == Controller.CPU
                    ? ControlGroups.number(path.resolve("cpuacct.usage")).map(TimeUnit.NANOSECONDS::toMicros)
                    : Optional.empty();
        }

        boolean outOfMemory() {
            return controller == Controller.MEMORY
                    && ControlGroups.number(path.resolve(unified ? "memory.events" : "memory.oom_control"), "oom_kill")
                            .filter(count -> count > 0)
                            .isPresent();
        }
    }

    /** The process, and what it starts from now on, belongs to the group. */
    void take(int pid) {
        for (Part part : parts) {
            try {
                Files.writeString(part.path().resolve("cgroup.procs"), Integer.toString(pid));
            } catch (IOException e) {
                throw new LimitRefusedException("the command cannot be put into its control group: " + e);
            }
        }
    }

    Optional<Long> peakMemory() {
        return parts.stream().flatMap(part -> part.peakMemory().stream()).findFirst();
    }

    Optional<Long> cpuMicros() {
        return parts.stream().flatMap(part -> part.cpuMicros().stream()).findFirst();
    }

    boolean outOfMemory() {
        return parts.stream().anyMatch(Part::outOfMemory);
    }

    /** Removes it; what a daemon that was left behind keeps busy is left to the owner of all groups. */
    @Override
    public void close() {
        parts.stream().map(Part::path).distinct().filter(path -> !removed(path)).forEach(busy);
    }

    private static boolean removed(Path path) {
        long deadline = System.nanoTime() + BUSY.toNanos();
        while (System.nanoTime() < deadline) {
            if (ControlGroups.remove(path)) {
                return true;
            }
            LockSupport.parkNanos(PAUSE.toNanos());
        }
        return false;
    }
}
