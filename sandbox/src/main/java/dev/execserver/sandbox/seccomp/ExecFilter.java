package dev.execserver.sandbox.seccomp;

import dev.execserver.sandbox.linux.Errno;

/**
 * The filter that asks this server about every program that a command executes, see seccomp_unotify(2). It lets all other
 * calls pass, so it can be put on top of the filters of a sandbox; the kernel takes the strictest answer of all. Stateless.
 */
public final class ExecFilter {
    private static final int NOTIFY = 0x7fc00000;
    private static final int REFUSE = Bpf.error(Errno.ENOSYS);

    private ExecFilter() {}

    /**
     * Returns the filter, as instructions of struct sock_filter. Calls of another architecture and the second set of numbers
     * of x86-64 fail with ENOSYS: such calls are decoded differently, so they could not be decided.
     */
    public static byte[] assemble(Machine machine) {
        Bpf bpf = new Bpf()
                .load(Bpf.ARCHITECTURE)
                .skipIfEqual(machine.auditArchitecture(), 1)
                .answer(REFUSE)
                .load(Bpf.NUMBER);
        if (machine.hasX32()) {
            bpf.skipUnlessAtLeast(SeccompFilter.X32_BIT, 1).answer(REFUSE);
        }
        return bpf.skipIfEqual(machine.number("execve"), 2)
                .skipIfEqual(machine.number("execveat"), 1)
                .answer(Bpf.ALLOW)
                .answer(NOTIFY)
                .bytes();
    }

    /** Returns true if this is the number of execveat(2). */
    public static boolean isExecveat(Machine machine, int number) {
        return number == machine.number("execveat");
    }
}
