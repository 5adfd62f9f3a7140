package dev.execserver.sandbox.linux;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.List;
import java.util.Optional;

/**
 * posix_spawn(3). By default the child gets its own session, an empty signal mask and default signal dispositions. A JVM
 * thread blocks and ignores signals for its own reasons, and both would survive an exec. The child gets exactly the listed
 * descriptors. The call blocks the thread until the child has called execve(2) (vfork semantics): platform threads only.
 * Stateless.
 */
@SuppressWarnings("ArrayRecordComponent") // paths are bytes; plans are never compared
public final class SpawnCalls {
    /** More than enough: glibc needs 80 and 336 bytes on x86-64. */
    private static final long FILE_ACTIONS_BYTES = 256;

    private static final long ATTRIBUTES_BYTES = 1024;
    private static final long SIGNAL_SET_BYTES = 128;
    private static final int SETSIGDEF = 0x04;
    private static final int SETSIGMASK = 0x08;
    private static final int SETSID = 0x80;

    private static final String FUNCTIONS = "posix_spawn";
    private static final SpawnFunction SPAWN = SpawnFunction.of("posix_spawn");
    private static final SpawnFunction ACTIONS_INIT = SpawnFunction.of("posix_spawn_file_actions_init");
    private static final SpawnFunction ACTIONS_DESTROY = SpawnFunction.of("posix_spawn_file_actions_destroy");
    private static final SpawnFunction ADD_DUP2 = SpawnFunction.of("posix_spawn_file_actions_adddup2");
    private static final SpawnFunction ADD_OPEN = SpawnFunction.of("posix_spawn_file_actions_addopen");
    private static final SpawnFunction ADD_CHDIR = SpawnFunction.of("posix_spawn_file_actions_addchdir_np");
    private static final SpawnFunction ADD_CLOSEFROM = SpawnFunction.of("posix_spawn_file_actions_addclosefrom_np");
    private static final SpawnFunction ATTR_INIT = SpawnFunction.of("posix_spawnattr_init");
    private static final SpawnFunction ATTR_DESTROY = SpawnFunction.of("posix_spawnattr_destroy");
    private static final SpawnFunction ATTR_FLAGS = SpawnFunction.of("posix_spawnattr_setflags");
    private static final SpawnFunction ATTR_SIGMASK = SpawnFunction.of("posix_spawnattr_setsigmask");
    private static final SpawnFunction ATTR_SIGDEFAULT = SpawnFunction.of("posix_spawnattr_setsigdefault");

    private SpawnCalls() {}

    /** The origin of a descriptor of the child. */
    public sealed interface Source {
        /** A copy of a descriptor of this process. Its number must not be one that the child's list replaces. */
        record Copy(int fd) implements Source {}

        /** A copy of an earlier descriptor in the child's own list. */
        record Same(int childFd) implements Source {}

        /** No descriptor. The number keeps what it has by chance, so the program must close it. */
        record Nothing() implements Source {}

        /** A file that the child opens itself, after it has become a session leader and before its change of directory. */
        record Open(byte[] path, int flags) implements Source {}
    }

    /**
     * A program to start.
     *
     * @param program path for execve(2); a relative one starts at the new working directory
     * @param descriptors descriptors 0, 1, 2, ... of the child
     */
    public record Plan(
            byte[] program,
            List<byte[]> argv,
            List<byte[]> environment,
            Optional<byte[]> workingDirectory,
            List<Source> descriptors,
            Attributes attributes) {
        /** Makes a plan with a session of its own, and with no signal blocked or ignored. */
        public Plan(
                byte[] program,
                List<byte[]> argv,
                List<byte[]> environment,
                Optional<byte[]> workingDirectory,
                List<Source> descriptors) {
            this(program, argv, environment, workingDirectory, descriptors, Attributes.DEFAULT);
        }
    }

    /**
     * Further attributes of the child.
     *
     * @param ownSession false leaves it in the session and the process group of this process, on its terminal
     * @param blockedSignals signals that the child does not get before it unblocks them
     * @param ignoredSignals signals that stay ignored as they are in this process
     */
    public record Attributes(boolean ownSession, List<Integer> blockedSignals, List<Integer> ignoredSignals) {
        public static final Attributes DEFAULT = new Attributes(true, List.of(), List.of());

        public Attributes {
            blockedSignals = List.copyOf(blockedSignals);
            ignoredSignals = List.copyOf(ignoredSignals);
        }
    }

    /**
     * Starts the program and returns its pid.
     *
     * @throws LinuxException errno of execve, of the change of directory or of opening a descriptor: the kernel does not tell
     *     which. EAGAIN if the process limit is reached
     * @throws IllegalArgumentException if a string holds a NUL byte
     */
    public static int spawn(Plan plan) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment actions = arena.allocate(FILE_ACTIONS_BYTES, 16);
            MemorySegment attributes = arena.allocate(ATTRIBUTES_BYTES, 16);
            ACTIONS_INIT.on(actions);
            ATTR_INIT.on(attributes);
            try {
                fill(arena, actions, plan);
                setAttributes(arena, attributes, plan.attributes());
                return start(arena, actions, attributes, plan);
            } finally {
                int _ = ACTIONS_DESTROY.call(actions.address(), 0, 0, 0, 0, 0);
                int _ = ATTR_DESTROY.call(attributes.address(), 0, 0, 0, 0, 0);
            }
        }
    }

    private static int start(Arena arena, MemorySegment actions, MemorySegment attributes, Plan plan) {
        MemorySegment pid = arena.allocate(JAVA_INT);
        MemorySegment program = string(arena, plan.program());
        MemorySegment argv = strings(arena, plan.argv());
        MemorySegment environment = strings(arena, plan.environment());
        int errno = SPAWN.call(
                pid.address(),
                program.address(),
                actions.address(),
                attributes.address(),
                argv.address(),
                environment.address());
        if (errno != 0) {
            throw new LinuxException("posix_spawn", Scratch.display(plan.program()), errno);
        }
        return pid.get(JAVA_INT, 0);
    }

    /** Adds the actions, which run in this order in the child. */
    private static void fill(Arena arena, MemorySegment actions, Plan plan) {
        int target = 0;
        for (Source source : plan.descriptors()) {
            switch (source) {
                case Source.Copy(int fd) -> ADD_DUP2.on(actions, fd, target, 0, 0);
                case Source.Same(int fd) -> ADD_DUP2.on(actions, fd, target, 0, 0);
                case Source.Nothing() -> {}
                case Source.Open(byte[] path, int flags) ->
                    ADD_OPEN.on(actions, target, string(arena, path).address(), flags, 0);
            }
            target++;
        }
        if (plan.workingDirectory().isPresent()) {
            MemorySegment directory = string(arena, plan.workingDirectory().get());
            ADD_CHDIR.on(actions, directory);
        }
        // Some files in a JVM are opened without O_CLOEXEC.
        ADD_CLOSEFROM.on(actions, target, 0, 0, 0);
    }

    private static void setAttributes(Arena arena, MemorySegment attributes, Attributes wanted) {
        MemorySegment mask = arena.allocate(SIGNAL_SET_BYTES, 8);
        mask.set(JAVA_LONG, 0, SignalCalls.set(wanted.blockedSignals()));
        MemorySegment reset = arena.allocate(SIGNAL_SET_BYTES, 8);
        reset.fill((byte) 0xff);
        reset.set(JAVA_LONG, 0, ~SignalCalls.set(wanted.ignoredSignals()));
        ATTR_SIGMASK.on(attributes, mask);
        ATTR_SIGDEFAULT.on(attributes, reset);
        ATTR_FLAGS.on(attributes, SETSIGMASK | SETSIGDEF | (wanted.ownSession() ? SETSID : 0), 0, 0, 0);
    }

    /**
     * execve(2): replaces this process by another program. The pid stays and all threads end, so only a main thread calls it,
     * before others run.
     *
     * @return the error, if the program cannot be executed; nothing has changed then
     * @throws IllegalArgumentException if a string holds a NUL byte
     */
    public static LinuxException replaceProcess(byte[] program, List<byte[]> argv, List<byte[]> environment) {
        try (Arena arena = Arena.ofConfined()) {
            long result = Kernel.call(
                    Syscall.EXECVE,
                    string(arena, program).address(),
                    strings(arena, argv).address(),
                    strings(arena, environment).address());
            return new LinuxException("execve", Scratch.display(program), (int) -result);
        }
    }

    private static MemorySegment strings(Arena arena, List<byte[]> values) {
        MemorySegment vector = arena.allocate(ADDRESS, values.size() + 1L);
        int index = 0;
        for (byte[] value : values) {
            vector.setAtIndex(ADDRESS, index++, string(arena, value));
        }
        vector.setAtIndex(ADDRESS, index, MemorySegment.NULL);
        return vector;
    }

    private static MemorySegment string(Arena arena, byte[] value) {
        for (byte b : value) {
            if (b == 0) {
                throw new IllegalArgumentException("string contains a NUL byte: " + Scratch.display(value));
            }
        }
        MemorySegment memory = arena.allocate(value.length + 1L);
        MemorySegment.copy(value, 0, memory, ValueLayout.JAVA_BYTE, 0, value.length);
        return memory;
    }

    /** Returns true if this failure is of a function of posix_spawn(3), and not of a call that prepares it. */
    public static boolean failed(LinuxException failure) {
        return failure.call().startsWith(FUNCTIONS);
    }
}
