package dev.execserver.sandbox.limits;

import dev.execserver.protocol.process.ResourceLimits;
import dev.execserver.sandbox.limits.ControlGroups.Controller;
import dev.execserver.sandbox.linux.LimitCalls;
import dev.execserver.sandbox.linux.LimitCalls.Limit;
import java.util.EnumMap;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * The limits of one command, made ready before its start and applied while it is held back. A file worker makes and closes
 * it, a spawner thread applies it.
 */
public final class CommandLimits implements AutoCloseable {
    /** Fewer descriptors than a sandbox and a shell need for themselves would only make starts fail. */
    public static final long SMALLEST_OPEN_FILES = 32;

    /** Less memory than a process has before it does anything. */
    public static final long SMALLEST_MEMORY_BYTES = 4 << 20;

    /** More than any machine has; what is added to it does not overflow. */
    public static final long LARGEST = Long.MAX_VALUE / 2;

    /** Bubblewrap and the first process inside, which are no processes of the command. */
    private static final long SANDBOX_PROCESSES = 2;

    private static final int RLIMIT_CPU = 0;
    private static final int RLIMIT_FSIZE = 1;

    private final ResourceLimits limits;
    private final Optional<ControlGroup> group;

    private CommandLimits(ResourceLimits limits, Optional<ControlGroup> group) {
        this.limits = limits;
        this.group = group;
    }

    /**
     * Makes what the limits need.
     *
     * @param sandboxed whether the command gets a process namespace around it, whose own processes do not count
     * @throws LimitRefusedException when one of them cannot be enforced
     */
    public static CommandLimits prepare(ResourceLimits limits, boolean sandboxed, ControlGroups groups) {
        inRange("pids", limits.pids(), 1);
        inRange("memoryBytes", limits.memoryBytes(), SMALLEST_MEMORY_BYTES);
        inRange("cpuSeconds", limits.cpuSeconds(), 1);
        inRange("openFiles", limits.openFiles(), SMALLEST_OPEN_FILES);
        Map<Controller, Long> counted = new EnumMap<>(Controller.class);
        limits.memoryBytes().ifPresent(bytes -> counted.put(Controller.MEMORY, bytes));
        limits.pids().ifPresent(pids -> counted.put(Controller.PIDS, pids + (sandboxed ? SANDBOX_PROCESSES : 0)));
        return new CommandLimits(limits, groups.make(counted));
    }

    private static void inRange(String name, OptionalLong value, long least) {
        if (value.isPresent() && (value.getAsLong() < least || value.getAsLong() > LARGEST)) {
            throw new LimitRefusedException("limits." + name + " must be between " + least + " and " + LARGEST
                    + ", not " + Long.toUnsignedString(value.getAsLong()));
        }
    }

    /**
     * Applies them to a process that is held back.
     *
     * @throws LimitRefusedException when the kernel does not let us
     */
    public void apply(int pid) {
        // One second between the signal that a program may handle and the one that it may not, see getrlimit(2).
        set(pid, RLIMIT_CPU, "cpuSeconds", limits.cpuSeconds(), 1);
        set(pid, LimitCalls.RLIMIT_NOFILE, "openFiles", limits.openFiles(), 0);
        set(pid, RLIMIT_FSIZE, "fileSizeBytes", limits.fileSizeBytes(), 0);
        group.ifPresent(made -> made.take(pid));
    }

    private static void set(int pid, int resource, String name, OptionalLong value, long more) {
        if (value.isEmpty()) {
            return;
        }
        Limit before = LimitCalls.of(pid, resource)
                .orElseThrow(() -> new LimitRefusedException("limits." + name + " cannot be read"));
        long hard = smaller(value.getAsLong() + more, before.hard());
        if (!LimitCalls.trySet(pid, resource, new Limit(smaller(value.getAsLong(), hard), hard))) {
            throw new LimitRefusedException("limits." + name + " cannot be set (prlimit)");
        }
    }

    private static long smaller(long one, long other) {
        return Long.compareUnsigned(one, other) < 0 ? one : other;
    }

    /** The most memory that all processes together had; empty where it is not counted. Touches files. */
    public OptionalLong peakMemoryBytes() {
        return group.flatMap(ControlGroup::peakMemory).map(OptionalLong::of).orElse(OptionalLong.empty());
    }

    /** Processor time of all processes together; empty where it is not counted. Touches files. */
    public OptionalLong cpuMicros() {
        return group.flatMap(ControlGroup::cpuMicros).map(OptionalLong::of).orElse(OptionalLong.empty());
    }

    /** Whether the kernel has ended one of its processes for want of memory. Touches files. */
    public boolean outOfMemory() {
        return group.filter(ControlGroup::outOfMemory).isPresent();
    }

    /** After everything has ended. Touches files. */
    @Override
    public void close() {
        group.ifPresent(ControlGroup::close);
    }
}
