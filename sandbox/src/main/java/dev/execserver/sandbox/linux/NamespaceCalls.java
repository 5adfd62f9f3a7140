package dev.execserver.sandbox.linux;

/** Queries about namespaces, see ioctl_nsfs(2). No call blocks. Stateless. */
public final class NamespaceCalls {
    /** The request NS_GET_USERNS. */
    private static final int NS_GET_USERNS = 0xb701;

    private NamespaceCalls() {}

    /** Opens the user namespace that owns another namespace; closed on exec. */
    public static Fd owner(Fd namespace) {
        long fd = Kernel.call(Syscall.IOCTL, namespace.number(), NS_GET_USERNS, 0);
        return new Fd((int) Kernel.check(fd, Syscall.IOCTL, "the owner of a namespace"));
    }
}
