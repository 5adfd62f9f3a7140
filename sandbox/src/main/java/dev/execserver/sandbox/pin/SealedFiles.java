package dev.execserver.sandbox.pin;

import dev.execserver.sandbox.linux.ContentCalls;
import dev.execserver.sandbox.linux.Fd;
import dev.execserver.sandbox.linux.FileCalls;
import dev.execserver.sandbox.linux.FileStatus;
import dev.execserver.sandbox.linux.LinuxException;
import dev.execserver.sandbox.linux.MemoryFile;
import dev.execserver.sandbox.linux.ProcessCalls;
import dev.execserver.sandbox.paths.LinuxPath;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Sealed copies of files in memory, one for each path, made at the first request and kept until the server ends. Child
 * processes open them through this server's entry in /proc, so they inherit no descriptor. Any thread that may touch files.
 * The lock guards the table and is held while one file is copied.
 */
final class SealedFiles implements AutoCloseable {
    /** Largest size of a file; no pinned program or library comes near it. */
    private static final int MAX_BYTES = 64 << 20;

    /** The loader's list of libraries for all programs, see ld.so(8), and a path of the same length that never exists. */
    private static final byte[] PRELOAD_LIST = ascii("/etc/ld.so.preload\0");

    private static final byte[] NO_LIST = ascii("/proc/0/ld.preload\0");

    private final ReentrantLock lock = new ReentrantLock();
    private final Map<LinuxPath, Fd> copies = new HashMap<>();

    /**
     * Returns the path of the copy.
     *
     * @throws LinuxException if the file cannot be read or the copy not be made
     */
    String copy(LinuxPath real, byte[] content) {
        lock.lock();
        try {
            Fd fd = copies.get(real);
            if (fd == null) {
                fd = MemoryFile.program(new String(real.name(), StandardCharsets.UTF_8), content);
                copies.put(real, fd);
            }
            return "/proc/" + ProcessCalls.ownPid() + "/fd/" + fd.number();
        } finally {
            lock.unlock();
        }
    }

    /** Copies a loader and removes its /etc/ld.so.preload, so that a list that a command has made there adds no library. */
    String copyLoader(LinuxPath real, byte[] content) {
        byte[] changed = content.clone();
        for (int i = 0; i + PRELOAD_LIST.length <= changed.length; i++) {
            if (changed[i] == '/'
                    && Arrays.equals(changed, i, i + PRELOAD_LIST.length, PRELOAD_LIST, 0, PRELOAD_LIST.length)) {
                System.arraycopy(NO_LIST, 0, changed, i, NO_LIST.length);
            }
        }
        return copy(real, changed);
    }

    /** Returns the content of a file. */
    static byte[] read(LinuxPath real) {
        try (Fd fd = FileCalls.open(real.bytes(), FileCalls.O_RDONLY | FileCalls.O_NONBLOCK | FileCalls.O_NOCTTY, 0)) {
            FileStatus status = FileCalls.status(fd);
            if (!status.regular() || status.size() > MAX_BYTES) {
                throw new IllegalArgumentException(real + " is no program: " + status.size() + " bytes");
            }
            byte[] content = new byte[(int) status.size()];
            int read = 0;
            while (read < content.length) {
                int count = ContentCalls.read(fd, content, read, content.length - read, read);
                if (count <= 0) {
                    throw new IllegalArgumentException(real + " changes while it is read");
                }
                read += count;
            }
            return content;
        }
    }

    private static byte[] ascii(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }

    @Override
    public void close() {
        lock.lock();
        try {
            copies.values().forEach(Fd::close);
            copies.clear();
        } finally {
            lock.unlock();
        }
    }
}
