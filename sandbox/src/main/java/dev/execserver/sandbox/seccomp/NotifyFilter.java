package dev.execserver.sandbox.seccomp;

import dev.execserver.sandbox.linux.Errno;
import java.util.List;

/**
 * The filter that asks this server about calls of a command before they are made, see seccomp_unotify(2). It lets all other calls
 * pass, so it can be put on top of the filters of a sandbox; the kernel takes the strictest answer of all. Stateless.
 */
public final class NotifyFilter {
    /** Calls that execute a program. */
    public static final List<String> EXECS = List.of("execve", "execveat");

    /** The call that connects a socket. */
    public static final List<String> CONNECTS = List.of("connect");

    private static final int NOTIFY = 0x7fc00000;
    private static final int REFUSE = Bpf.error(Errno.ENOSYS);

    private NotifyFilter() {}

    /**
     * Returns the filter, as instructions of struct sock_filter. Calls of another architecture and the second set of numbers
     * of x86-64 fail with ENOSYS: such calls are decoded differently, so they could not be decided.
     */
    public static byte[] assemble(Machine machine, List<String> calls) {
        Bpf bpf = new Bpf()
                .load(Bpf.ARCHITECTURE)
                .skipIfEqual(machine.auditArchitecture(), 1)
                .answer(REFUSE)
                .load(Bpf.NUMBER);
        if (machine.hasX32()) {
            bpf.skipUnlessAtLeast(SeccompFilter.X32_BIT, 1).answer(REFUSE);
        }
        for (String call : calls) {
            bpf.skipUnlessEqual(machine.number(call), 1).answer(NOTIFY);
        }
        return bpf.answer(Bpf.ALLOW).bytes();
    }

    /** Returns true if this is the number of execveat(2). */
    public static boolean isExecveat(Machine machine, int number) {
        return number == machine.number("execveat");
    }

    /** Returns true if this is the number of connect(2). */
    public static boolean isConnect(Machine machine, int number) {
        return number == machine.number("connect");
    }
}
