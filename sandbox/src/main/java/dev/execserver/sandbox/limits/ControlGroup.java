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

/**
 * The control group of one command; with cgroups version 1, one group for each controller. All methods block. One thread at a
 * time may use it.
 */
final class ControlGroup implements AutoCloseable {
    /** Value for a controller that only counts and does not limit. */
    static final long UNLIMITED = Long.MAX_VALUE;

    /** Time to retry the removal: a group stays busy for a moment after its last process has ended. */
    private static final Duration BUSY = Duration.ofMillis(200);

    private static final Duration PAUSE = Duration.ofMillis(2);

    private final List<Part> parts;
    private final Consumer<Path> busy;

    /** @param busy receives the paths of groups that cannot be removed yet */
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

        /** Limits memory and swap together, so that a command cannot exceed the limit by being swapped out. */
        private void limitMemory(long bytes) throws IOException {
            write(unified ? "memory.max" : "memory.limit_in_bytes", bytes);
            String swap = unified ? "memory.swap.max" : "memory.memsw.limit_in_bytes";
            if (Files.exists(path.resolve(swap))) { // the file is missing without swap accounting
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

    /** Moves a process into the group. Everything that it starts from then on belongs to the group too. */
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

    /** Removes the group. A group that a left daemon keeps busy is handed to the {@code busy} consumer. */
    @Override
    public void close() {
        parts.stream().map(Part::path).distinct().filter(path -> !removed(path)).forEach(busy);
    }

    /** Removes a group, and waits a moment while it is busy. Returns false if it stays so. */
    static boolean removed(Path path) {
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
