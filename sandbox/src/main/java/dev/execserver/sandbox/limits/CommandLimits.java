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
 * The limits of one command. A file worker prepares them before the start and closes them after the end. A spawner thread
 * applies them while the process is held before its first instruction.
 */
public final class CommandLimits implements AutoCloseable {
    /** Smallest limit of open files. With fewer, a sandbox and its shell could not even start. */
    public static final long SMALLEST_OPEN_FILES = 32;

    /** Smallest memory limit, 4 MiB. A process uses about that much before it does anything. */
    public static final long SMALLEST_MEMORY_BYTES = 4 << 20;

    /** Largest value of a limit, more than any machine has. Adding a small number to it does not overflow. */
    public static final long LARGEST = Long.MAX_VALUE / 2;

    /** Bubblewrap and the first process inside of the sandbox. They do not count as processes of the command. */
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
     * Checks the limits and makes a control group if one is needed.
     *
     * @param sandboxed true if the command gets a process namespace; the processes of the sandbox itself are not counted then
     * @param session of the command
     * @throws LimitRefusedException if a limit is out of range or cannot be enforced here
     */
    public static CommandLimits prepare(
            ResourceLimits limits, boolean sandboxed, ControlGroups groups, SessionGroup session) {
        inRange("pids", limits.pids(), 1);
        inRange("memoryBytes", limits.memoryBytes(), SMALLEST_MEMORY_BYTES);
        inRange("cpuSeconds", limits.cpuSeconds(), 1);
        inRange("openFiles", limits.openFiles(), SMALLEST_OPEN_FILES);
        Map<Controller, Long> counted = new EnumMap<>(Controller.class);
        limits.memoryBytes().ifPresent(bytes -> counted.put(Controller.MEMORY, bytes));
        limits.pids().ifPresent(pids -> counted.put(Controller.PIDS, pids + (sandboxed ? SANDBOX_PROCESSES : 0)));
        return new CommandLimits(limits, groups.make(counted, session));
    }

    private static void inRange(String name, OptionalLong value, long least) {
        if (value.isPresent() && (value.getAsLong() < least || value.getAsLong() > LARGEST)) {
            throw new LimitRefusedException("limits." + name + " must be between " + least + " and " + LARGEST
                    + ", not " + Long.toUnsignedString(value.getAsLong()));
        }
    }

    /**
     * Applies the limits to a process that is held back.
     *
     * @throws LimitRefusedException if the kernel refuses
     */
    public void apply(int pid) {
        // The hard limit is one second later: SIGXCPU, which a program may handle, comes before SIGKILL, see
        // getrlimit(2).
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

    /** The highest memory use of all processes together, in bytes; empty if it is not counted. Reads files. */
    public OptionalLong peakMemoryBytes() {
        return group.flatMap(ControlGroup::peakMemory).map(OptionalLong::of).orElse(OptionalLong.empty());
    }

    /** The processor time of all processes together, in microseconds; empty if it is not counted. Reads files. */
    public OptionalLong cpuMicros() {
        return group.flatMap(ControlGroup::cpuMicros).map(OptionalLong::of).orElse(OptionalLong.empty());
    }

    /** Returns true if the kernel has killed a process of the command because the memory limit was reached. Reads files. */
    public boolean outOfMemory() {
        return group.filter(ControlGroup::outOfMemory).isPresent();
    }

    /** Removes the control group. Call it after all processes of the command have ended. Writes files. */
    @Override
    public void close() {
        group.ifPresent(ControlGroup::close);
    }
}
