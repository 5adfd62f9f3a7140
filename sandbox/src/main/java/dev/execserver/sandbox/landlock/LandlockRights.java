package dev.execserver.sandbox.landlock;

/** Access rights of landlock(7) by version of its interface. */
final class LandlockRights {
    private static final int ABI_WITH_IOCTL = 5;
    private static final int ABI_WITH_SCOPES = 6;

    static final long EXECUTE = 1;
    static final long WRITE_FILE = 1 << 1;
    static final long READ_FILE = 1 << 2;
    static final long READ_DIR = 1 << 3;
    static final long TRUNCATE = 1 << 14;
    private static final long IOCTL_DEV = 1 << 15;
    /** From EXECUTE to TRUNCATE. */
    private static final long UP_TO_ABI_3 = (1 << 15) - 1;

    private static final long SCOPE_ABSTRACT_UNIX_SOCKET = 1;
    private static final long SCOPE_SIGNAL = 1 << 1;

    private final int abi;

    LandlockRights(int abi) {
        this.abi = abi;
    }

    long all() {
        return UP_TO_ABI_3 | ioctl();
    }

    static long reading() {
        return EXECUTE | READ_FILE | READ_DIR;
    }

    /** Returns all rights that apply to a plain file or device. */
    long allOfFile() {
        return EXECUTE | READ_FILE | WRITE_FILE | TRUNCATE | ioctl();
    }

    /** Returns the scopes: signals and abstract Unix sockets reach no process outside. Empty before version 6. */
    long scopes() {
        return abi >= ABI_WITH_SCOPES ? SCOPE_ABSTRACT_UNIX_SOCKET | SCOPE_SIGNAL : 0;
    }

    private long ioctl() {
        return abi >= ABI_WITH_IOCTL ? IOCTL_DEV : 0;
    }
}
