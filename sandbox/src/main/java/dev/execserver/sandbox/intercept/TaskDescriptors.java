package dev.execserver.sandbox.intercept;

import dev.execserver.sandbox.linux.DirectoryCalls;
import dev.execserver.sandbox.linux.Fd;
import dev.execserver.sandbox.linux.FileCalls;
import dev.execserver.sandbox.linux.LinuxException;
import dev.execserver.sandbox.linux.ProcStatus;
import dev.execserver.sandbox.linux.ProcessCalls;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Copies descriptors of a task that waits for its decision. Of the sockets only those of unix(7) are copied. A network socket in
 * the hands of a process outside of the sandbox would count as made there, see {@code sandbox.peer}: the command could connect it
 * to a server, write a request and close its own descriptor. One worker.
 */
final class TaskDescriptors implements AutoCloseable {
    private static final String SOCKET = "socket:[";

    /** Column of the inode in /proc/net/unix. */
    private static final int INODE = 6;

    private final int tid;
    private final Fd pidfd;
    private Optional<Set<Long>> unixSockets = Optional.empty();

    /** @throws LinuxException if the process is gone */
    TaskDescriptors(int tid, int process) {
        this.tid = tid;
        this.pidfd = ProcessCalls.pidfdOpen(process);
    }

    /**
     * Copies a descriptor. The link tells its kind before a copy exists; a task that exchanges the descriptor meanwhile gains
     * nothing, because the copy is dropped at once.
     *
     * @return the copy; empty for one that is closed, and for a network socket
     */
    Optional<Fd> copy(int number) {
        Optional<Long> socket = socket(number);
        if (socket.isPresent() && !unixSockets().contains(socket.get())) {
            return Optional.empty();
        }
        return ProcessCalls.descriptorOf(pidfd, number).filter(made -> kept(made, socket));
    }

    /** Closes a copy that is not what the link has told. */
    private static boolean kept(Fd copy, Optional<Long> socket) {
        boolean keep = false;
        try {
            keep = expected(copy, socket);
            return keep;
        } finally {
            if (!keep) {
                copy.close();
            }
        }
    }

    private static boolean expected(Fd copy, Optional<Long> socket) {
        var status = FileCalls.status(copy);
        return socket.isPresent() ? status.socket() && status.inode() == socket.get() : !status.socket();
    }

    /** Returns the inode if the descriptor is a socket. */
    private Optional<Long> socket(int number) {
        try {
            byte[] path = ("/proc/" + tid + "/fd/" + number).getBytes(StandardCharsets.US_ASCII);
            String link = new String(DirectoryCalls.readLink(path), StandardCharsets.ISO_8859_1);
            return link.startsWith(SOCKET)
                    ? Optional.of(Long.valueOf(link.substring(SOCKET.length(), link.length() - 1)))
                    : Optional.empty();
        } catch (LinuxException e) {
            return Optional.empty(); // closed: there will be no copy
        }
    }

    /** Returns the inodes of the Unix sockets in the network of the task. */
    private Set<Long> unixSockets() {
        if (unixSockets.isEmpty()) {
            unixSockets = Optional.of(ProcStatus.whole("/proc/" + tid + "/net/unix")
                    .lines()
                    .skip(1)
                    .map(line -> Long.valueOf(line.strip().split(" +")[INODE]))
                    .collect(Collectors.toSet()));
        }
        return unixSockets.get();
    }

    @Override
    public void close() {
        pidfd.close();
    }
}
