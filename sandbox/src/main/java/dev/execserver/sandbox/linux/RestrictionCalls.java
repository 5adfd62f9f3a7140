package dev.execserver.sandbox.linux;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static java.lang.foreign.ValueLayout.JAVA_LONG_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.OptionalInt;

/**
 * Restrictions that a thread puts on itself and its children: no_new_privs of prctl(2), capset(2), seccomp(2), landlock(7).
 * None can be undone, so the methods that act on the calling thread are for threads made for that purpose. No call blocks.
 * Stateless.
 */
public final class RestrictionCalls {
    private static final int PR_GET_SECCOMP = 21;
    private static final int PR_SET_NO_NEW_PRIVS = 38;
    private static final int SECCOMP_SET_MODE_FILTER = 1;
    private static final int SECCOMP_GET_ACTION_AVAIL = 2;
    private static final int SECCOMP_RET_ERRNO = 0x00050000;
    private static final int CAPABILITY_VERSION_3 = 0x20080522;
    /** Header and two sets of three words. */
    private static final int CAPABILITY_BYTES = 32;

    private static final int LANDLOCK_CREATE_RULESET_VERSION = 1;
    private static final int LANDLOCK_RULE_PATH_BENEATH = 1;
    /** struct sock_filter: code, jt, jf, k. */
    private static final int INSTRUCTION_BYTES = 8;

    private RestrictionCalls() {}

    /** PR_SET_NO_NEW_PRIVS on the calling thread. */
    public static void noNewPrivileges() {
        Kernel.check(Kernel.call(Syscall.PRCTL, PR_SET_NO_NEW_PRIVS, 1, 0), Syscall.PRCTL, "PR_SET_NO_NEW_PRIVS");
    }

    /** capset(2): drops all capabilities of the calling thread. With no_new_privs an exec gives none back. */
    public static void dropCapabilities() {
        try (Scratch scratch = Scratch.take()) {
            MemorySegment header = scratch.struct();
            header.asSlice(0, CAPABILITY_BYTES).fill((byte) 0);
            header.set(JAVA_INT_UNALIGNED, 0, CAPABILITY_VERSION_3);
            long result = Kernel.call(scratch, Syscall.CAPSET, header.address(), header.address() + 8, 0, 0);
            Kernel.check(result, Syscall.CAPSET, "");
        }
    }

    /**
     * Installs a filter on the calling thread, which must have no_new_privs.
     *
     * @param program struct sock_filter instructions in the byte order of the machine
     */
    public static void installFilter(byte[] program) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment instructions = arena.allocate(program.length, 8);
            MemorySegment.copy(program, 0, instructions, JAVA_BYTE, 0, program.length);
            MemorySegment header = arena.allocate(16, 8);
            header.set(JAVA_SHORT, 0, (short) (program.length / INSTRUCTION_BYTES));
            header.set(JAVA_LONG, 8, instructions.address());
            long result = Kernel.call(Syscall.SECCOMP, SECCOMP_SET_MODE_FILTER, 0, header.address());
            Kernel.check(result, Syscall.SECCOMP, "filter");
        }
    }

    /** Returns 0 if the kernel accepts filters that answer with an error, else the errno. Changes nothing. */
    public static int filtersAvailable() {
        long mode = Kernel.call(Syscall.PRCTL, PR_GET_SECCOMP, 0, 0);
        if (mode < 0) {
            return (int) -mode;
        }
        try (Scratch scratch = Scratch.take()) {
            scratch.struct().set(JAVA_INT_UNALIGNED, 0, SECCOMP_RET_ERRNO);
            long address = scratch.struct().address();
            return (int) -Kernel.call(scratch, Syscall.SECCOMP, SECCOMP_GET_ACTION_AVAIL, 0, address, 0);
        }
    }

    /** Returns the version of Landlock; empty if the kernel has none or it is switched off. */
    public static OptionalInt landlockAbi() {
        long abi = Kernel.call(Syscall.LANDLOCK_CREATE_RULESET, 0, 0, LANDLOCK_CREATE_RULESET_VERSION);
        return abi < 1 ? OptionalInt.empty() : OptionalInt.of((int) abi);
    }

    /**
     * landlock_create_ruleset(2) for files.
     *
     * @param handledAccess LANDLOCK_ACCESS_FS rights that are refused unless a rule grants them
     * @param scoped LANDLOCK_SCOPE flags; 0 before ABI 6, which does not know them
     */
    public static Fd landlockRuleset(long handledAccess, long scoped) {
        try (Scratch scratch = Scratch.take()) {
            scratch.struct().set(JAVA_LONG, 0, handledAccess);
            scratch.struct().set(JAVA_LONG, 8, 0); // network rights: the system call filter controls the network
            scratch.struct().set(JAVA_LONG, 16, scoped);
            long address = scratch.struct().address();
            long size = scoped == 0 ? 8 : 24;
            long fd = Kernel.call(scratch, Syscall.LANDLOCK_CREATE_RULESET, address, size, 0, 0);
            return new Fd((int) Kernel.check(fd, Syscall.LANDLOCK_CREATE_RULESET, ""));
        }
    }

    /**
     * landlock_add_rule(2): grants rights on a file, or on everything below a directory.
     *
     * @param place the file or directory, opened with O_PATH
     * @param access for a file only rights that files have, else EINVAL
     */
    public static void landlockAllow(Fd ruleset, Fd place, long access) {
        try (Scratch scratch = Scratch.take()) {
            // struct landlock_path_beneath_attr is packed.
            scratch.struct().set(JAVA_LONG_UNALIGNED, 0, access);
            scratch.struct().set(JAVA_INT_UNALIGNED, 8, place.number());
            long address = scratch.struct().address();
            long result = Kernel.call(
                    scratch, Syscall.LANDLOCK_ADD_RULE, ruleset.number(), LANDLOCK_RULE_PATH_BENEATH, address, 0);
            Kernel.check(result, Syscall.LANDLOCK_ADD_RULE, place.number());
        }
    }

    /** landlock_restrict_self(2) on the calling thread, which must have no_new_privs. */
    public static void landlockRestrict(Fd ruleset) {
        long result = Kernel.call(Syscall.LANDLOCK_RESTRICT_SELF, ruleset.number(), 0, 0);
        Kernel.check(result, Syscall.LANDLOCK_RESTRICT_SELF, ruleset.number());
    }
}
