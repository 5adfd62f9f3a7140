package dev.execserver.sandbox.stage;

import dev.execserver.sandbox.seccomp.Machine;
import java.nio.ByteBuffer;

/**
 * Assembles a sequence of system calls with constant arguments. The first call that fails ends the program with its errno as
 * exit status. Used by one thread.
 */
public sealed interface StageCode permits X86Code, Arm64Code {
    /** System calls of stages, see syscalls(2): first the x86-64 number, then that of the generic table, which arm64 uses. */
    enum Call {
        IOCTL(16, 29),
        SETNS(308, 268),
        SOCKET(41, 198),
        SETSOCKOPT(54, 208),
        BIND(49, 200),
        LISTEN(50, 201),
        SENDMSG(46, 211),
        OPENAT2(437, 437),
        OPEN_TREE(428, 428),
        MOVE_MOUNT(429, 429),
        MOUNT_SETATTR(442, 442),
        EXIT_GROUP(231, 94);

        private final int x86;
        private final int generic;

        Call(int x86, int generic) {
            this.x86 = x86;
            this.generic = generic;
        }

        int number(Machine machine) {
            return machine == Machine.X86_64 ? x86 : generic;
        }
    }

    static StageCode of(Machine machine, ByteBuffer code) {
        return switch (machine) {
            case X86_64 -> new X86Code(code);
            case AARCH64 -> new Arm64Code(code);
        };
    }

    /**
     * Adds one call.
     *
     * @param arguments at most 5, each a non-negative number of 32 bits: descriptors, sizes, and addresses of a program that
     *     lies below 2 GiB
     */
    void call(Call call, int... arguments);
}
