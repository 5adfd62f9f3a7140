package dev.execserver.sandbox.seccomp;

import dev.execserver.sandbox.linux.Errno;

/**
 * Rules that keep a command from making a user namespace. Inside of one it would have all capabilities, could make a mount
 * namespace, leave its root with pivot_root(2), and rename or replace what is a mount point in the view of the sandbox only:
 * the kernel answers EBUSY only for mount points of the caller's own namespace. Without a user namespace it has no
 * capabilities, so that it can make no other namespace and mount nothing.
 */
final class NamespaceRules {
    static final int CLONE_NEWUSER = 0x10000000;

    private NamespaceRules() {}

    /** Adds the rules to a filter. */
    static void deny(Bpf bpf, Machine machine, int denial) {
        flag(bpf, machine.number("clone"), denial);
        flag(bpf, machine.number("unshare"), denial);
        // Its flags are in memory, which a filter cannot read. On ENOSYS the C libraries use clone(2).
        bpf.skipUnlessEqual(machine.number("clone3"), 1).answer(Bpf.error(Errno.ENOSYS));
    }

    /** Denies a call with the flag in its first argument. The kernel takes flags from the lower half, or refuses others. */
    private static void flag(Bpf bpf, int call, int denial) {
        bpf.skipUnlessEqual(call, 5)
                .load(Bpf.argument(0))
                .and(CLONE_NEWUSER)
                .skipIfEqual(0, 1)
                .answer(denial)
                .answer(Bpf.ALLOW);
    }
}
