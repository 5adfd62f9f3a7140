package dev.execserver.server.peer;

import dev.execserver.sandbox.linux.ByteLocks;
import dev.execserver.sandbox.linux.Fd;
import dev.execserver.sandbox.linux.FileCalls;
import dev.execserver.sandbox.plan.NetworkUse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Shares facts between the servers of one user: their ports, and if a sandboxed command of one of them can reach the
 * network of the host. The servers do so by locks on an empty file in folders that no sandboxed command sees. Byte N
 * stands for port N, byte 0 for the network. Nothing is written, and the kernel drops the locks when a server ends in
 * any way.
 *
 * <p>Any thread. The lock guards the count of commands; no call under it blocks.
 */
public final class UserServers implements NetworkUse, AutoCloseable {
    /**
     * Time after the end of a command during which connections are still checked. A connection that the command opened
     * just before its end may still wait to be accepted.
     */
    static final Duration AFTERMATH = Duration.ofSeconds(60);

    private static final String FILE = "servers.locks";
    private static final long NETWORK = 0;

    private final List<Fd> files;
    private final Later later;
    private final Set<Integer> ports = ConcurrentHashMap.newKeySet();
    private final ReentrantLock lock = new ReentrantLock();
    private int commands;
    private volatile boolean inUse;

    /** Runs work after some time. */
    public interface Later {
        void after(Duration time, Runnable work);
    }

    private UserServers(List<Fd> files, Later later) {
        this.files = List.copyOf(files);
        this.later = later;
    }

    /** Makes one for this server alone. */
    public static UserServers alone(Later later) {
        return new UserServers(List.of(), later);
    }

    /**
     * Makes one for all servers that use one of the folders. Each server uses all its folders, because logins make and
     * remove some.
     *
     * @param folders folders that no sandboxed command and no other user can write
     * @throws dev.execserver.sandbox.linux.LinuxException when the file cannot be made in one of them
     */
    public static UserServers of(List<Path> folders, Later later) {
        List<Fd> files = new ArrayList<>();
        try {
            for (Path folder : folders) {
                byte[] path = folder.resolve(FILE).toString().getBytes(StandardCharsets.UTF_8);
                int flags = FileCalls.O_RDWR | FileCalls.O_CREAT | FileCalls.O_NOFOLLOW;
                files.add(FileCalls.open(path, flags, 0600));
            }
        } catch (RuntimeException e) {
            files.forEach(Fd::close);
            throw e;
        }
        return new UserServers(files, later);
    }

    /** Tells the other servers that this server listens on the port from now on. */
    public void listensOn(int port) {
        ports.add(port);
        files.forEach(open -> ByteLocks.share(open, port));
    }

    /** Returns true if a server of this user listens on the port. */
    public boolean listens(int port) {
        return ports.contains(port) || files.stream().anyMatch(open -> ByteLocks.held(open, port));
    }

    /**
     * Returns true if a sandboxed command of this user may reach a port of this machine, or could within the last
     * {@link #AFTERMATH}.
     */
    public boolean networkInUse() {
        return inUse || files.stream().anyMatch(open -> ByteLocks.held(open, NETWORK));
    }

    @Override
    public Runnable begin(boolean mayOutlive) {
        count(1);
        AtomicBoolean ended = new AtomicBoolean(mayOutlive);
        return () -> {
            if (ended.compareAndSet(false, true)) {
                later.after(AFTERMATH, () -> count(-1));
            }
        };
    }

    private void count(int change) {
        lock.lock();
        try {
            commands += change;
            boolean wanted = commands > 0;
            if (wanted != inUse) {
                inUse = wanted;
                files.stream().filter(open -> !open.closed()).forEach(open -> {
                    if (wanted) {
                        ByteLocks.share(open, NETWORK);
                    } else {
                        ByteLocks.release(open, NETWORK);
                    }
                });
            }
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void close() {
        lock.lock();
        try {
            files.forEach(Fd::close);
        } finally {
            lock.unlock();
        }
    }
}
