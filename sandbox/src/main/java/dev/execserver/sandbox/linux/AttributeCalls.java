package dev.execserver.sandbox.linux;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Optional;

/**
 * System calls on the extended attributes of files, see xattr(7). Each may block as long as the file system does: platform
 * threads only. Stateless.
 */
public final class AttributeCalls {

    /** The access control list of a file, see acl(5). */
    public static final String ACCESS_LIST = "system.posix_acl_access";

    private AttributeCalls() {}

    /** fgetxattr(2); empty if the file has no attribute of this name, or the file system supports none. */
    public static Optional<byte[]> get(Fd fd, String name) {
        try (Scratch scratch = Scratch.take()) {
            return get(scratch, Syscall.FGETXATTR, fd.number(), fd.toString(), name);
        }
    }

    /**
     * lgetxattr(2) of a directory entry, which need not be open; same result as {@link #get}. The path leads through /proc:
     * ENOENT if there is none.
     */
    public static Optional<byte[]> getAt(Fd directory, byte[] entry, String name) {
        byte[] way = ascii("/proc/self/fd/" + directory.number() + "/");
        byte[] path = Arrays.copyOf(way, way.length + entry.length);
        System.arraycopy(entry, 0, path, way.length, entry.length);
        try (Scratch scratch = Scratch.take()) {
            long address = scratch.secondPath(Syscall.LGETXATTR.call(), path);
            return get(scratch, Syscall.LGETXATTR, address, Scratch.display(entry), name);
        }
    }

    private static Optional<byte[]> get(Scratch scratch, Syscall call, long file, String object, String name) {
        // XATTR_SIZE_MAX of linux/limits.h is half of the buffer.
        try (IoBuffer buffer = IoBuffer.take()) {
            long address = scratch.path(call.call(), ascii(name));
            long value = buffer.memory().address();
            long length = Kernel.call(scratch, call, file, address, value, IoBuffer.BYTES);
            if (length == -Errno.ENODATA || length == -Errno.EOPNOTSUPP) {
                return Optional.empty();
            }
            byte[] bytes = new byte[(int) Kernel.check(length, call, object)];
            buffer.bytes().get(0, bytes);
            return Optional.of(bytes);
        }
    }

    /** fsetxattr(2): adds or replaces the attribute. */
    public static void set(Fd fd, String name, byte[] value) {
        try (IoBuffer buffer = IoBuffer.take();
                Scratch scratch = Scratch.take()) {
            long address = scratch.path(Syscall.FSETXATTR.call(), ascii(name));
            buffer.bytes().put(0, value);
            long from = buffer.memory().address();
            long result = Kernel.call(scratch, Syscall.FSETXATTR, fd.number(), address, from, value.length, 0, 0);
            Kernel.check(result, Syscall.FSETXATTR, fd.number());
        }
    }

    /** fremovexattr(2); ENODATA if there is none. */
    public static void remove(Fd fd, String name) {
        try (Scratch scratch = Scratch.take()) {
            long address = scratch.path(Syscall.FREMOVEXATTR.call(), ascii(name));
            long result = Kernel.call(scratch, Syscall.FREMOVEXATTR, fd.number(), address, 0, 0);
            Kernel.check(result, Syscall.FREMOVEXATTR, fd.number());
        }
    }

    private static byte[] ascii(String name) {
        return name.getBytes(StandardCharsets.US_ASCII);
    }
}
