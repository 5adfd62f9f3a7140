package dev.execserver.sandbox.connect;

import dev.execserver.protocol.permissions.Access;
import dev.execserver.sandbox.linux.EntryCalls;
import dev.execserver.sandbox.linux.Errno;
import dev.execserver.sandbox.linux.Fd;
import dev.execserver.sandbox.linux.FileCalls;
import dev.execserver.sandbox.linux.LinuxException;
import dev.execserver.sandbox.paths.LinuxPath;
import dev.execserver.sandbox.resolve.ResolvedPolicy;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;

/**
 * Unix sockets that one command may connect to. Their files are opened once, before the command runs, so that nothing that it does to
 * a folder or a link leads elsewhere. A server that makes its file anew is not reached any more.
 *
 * <p>Any thread; a lock guards the files. {@link #open} touches files.
 */
public final class AllowedSockets implements AutoCloseable {
    /** Largest number of sockets of a command. */
    public static final int MAX_SOCKETS = 16;

    private final ReentrantLock lock = new ReentrantLock();
    private final Map<String, Fd> files = new HashMap<>();
    private final Map<String, String> refused = new HashMap<>();
    private final Consumer<Refused> refusals;
    private boolean closed;

    /**
     * A connection that was refused.
     *
     * @param path as the program wrote it; empty for an abstract name or none
     * @param why for people
     */
    public record Refused(Optional<String> path, String why) {}

    private AllowedSockets(Consumer<Refused> refusals) {
        this.refusals = refusals;
    }

    /**
     * Opens the socket files.
     *
     * @param policy of the command; what it hides is not opened
     * @param refusals is told of each refused connection, on a worker
     */
    public static AllowedSockets open(Collection<LinuxPath> paths, ResolvedPolicy policy, Consumer<Refused> refusals) {
        AllowedSockets sockets = new AllowedSockets(refusals);
        paths.forEach(path -> sockets.add(path, policy));
        return sockets;
    }

    private void add(LinuxPath path, ResolvedPolicy policy) {
        Fd file;
        try {
            file = FileCalls.open(path.bytes(), FileCalls.O_PATH, 0);
        } catch (LinuxException e) {
            refused.put(path.toString(), "it could not be opened when the command began: " + Errno.text(e.errno()));
            return;
        }
        byte[] name = EntryCalls.nameOf(file);
        LinuxPath real = name[0] == '/' ? LinuxPath.of(name) : path;
        Optional<String> obstacle = obstacle(path, real, file, policy);
        if (obstacle.isPresent()) {
            file.close();
            refused.put(path.toString(), obstacle.get());
            return;
        }
        files.put(path.toString(), file);
        files.put(real.toString(), file);
    }

    private static Optional<String> obstacle(LinuxPath path, LinuxPath real, Fd file, ResolvedPolicy policy) {
        if (!FileCalls.status(file).socket()) {
            return Optional.of("it was no socket when the command began");
        }
        if (policy.access(real) == Access.DENY) {
            return Optional.of("the profile hides it");
        }
        boolean linked = !path.equals(real);
        return linked && (writable(path, policy) || writable(real, policy))
                ? Optional.of("a link leads to it, and the command can write a folder on the way; name " + real)
                : Optional.empty();
    }

    private static boolean writable(LinuxPath path, ResolvedPolicy policy) {
        return path.lineage().stream().anyMatch(place -> !place.equals(path) && policy.access(place) == Access.WRITE);
    }

    /**
     * Returns an own copy of the file that a path names.
     *
     * @param path absolute; empty for an abstract name
     */
    Optional<Fd> find(Optional<String> path) {
        Optional<String> normal = path.map(given -> LinuxPath.of(given).toString());
        lock.lock();
        try {
            Optional<Fd> file = normal.map(files::get);
            if (file.isPresent() && !closed) {
                return Optional.of(FileCalls.duplicate(file.get().number(), 0));
            }
        } finally {
            lock.unlock();
        }
        refusals.accept(new Refused(
                path,
                path.isEmpty()
                        ? "abstract names are never reached"
                        : normal.map(refused::get).orElse("no entry of allowUnixSockets names it")));
        return Optional.empty();
    }

    @Override
    public void close() {
        lock.lock();
        try {
            closed = true;
            files.values().forEach(Fd::close);
        } finally {
            lock.unlock();
        }
    }
}
