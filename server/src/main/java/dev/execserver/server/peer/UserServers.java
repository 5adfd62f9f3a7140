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
 * What the servers of one user tell each other: their ports, and if one of them has a sandboxed command that can reach the network of the
 * host. They do so by locks on an empty file in folders that no sandboxed command sees; nothing is written, and the kernel drops the locks
 * of a server that ends in whatever way. Byte N stands for port N, byte 0 for the network.
 *
 * <p>Any thread. The lock guards the count of commands; no call under it blocks.
 */
public final class UserServers implements NetworkUse, AutoCloseable {
    /**
     * What a command has sent just before its end may still wait to be accepted. So long after its end connections are looked at all the
     * same.
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

    /** Has something done when a time has passed. */
    public interface Later {
        void after(Duration time, Runnable work);
    }

    private UserServers(List<Fd> files, Later later) {
        this.files = List.copyOf(files);
        this.later = later;
    }

    /** This server alone. */
    public static UserServers alone(Later later) {
        return new UserServers(List.of(), later);
    }

    /**
     * All servers that use one of the folders. Each server uses all that it has: which ones there are changes with logins.
     *
     * @param folders that no sandboxed command and no other user can write
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

    /** This server listens there from now on. */
    public void listensOn(int port) {
        ports.add(port);
        files.forEach(open -> ByteLocks.share(open, port));
    }

    /** Returns true if a server of this user listens on the port. */
    public boolean listens(int port) {
        return ports.contains(port) || files.stream().anyMatch(open -> ByteLocks.held(open, port));
    }

    /** Returns true if a sandboxed command of this user may reach a port of this machine, or has done so a moment ago. */
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
