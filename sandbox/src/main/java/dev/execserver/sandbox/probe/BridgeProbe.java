package dev.execserver.sandbox.probe;

import dev.execserver.sandbox.bwrap.BwrapProgram;
import dev.execserver.sandbox.bwrap.LinkMounts;
import dev.execserver.sandbox.io.AsyncFd;
import dev.execserver.sandbox.io.Drain;
import dev.execserver.sandbox.io.Poller;
import dev.execserver.sandbox.linux.Errno;
import dev.execserver.sandbox.linux.LinuxException;
import dev.execserver.sandbox.linux.ProcFiles;
import dev.execserver.sandbox.linux.ProcessCalls;
import dev.execserver.sandbox.network.NamespaceSockets;
import dev.execserver.sandbox.paths.LinuxPath;
import dev.execserver.sandbox.spawn.Child;
import dev.execserver.sandbox.spawn.ProcessMarks;
import dev.execserver.sandbox.spawn.SpawnRequest;
import dev.execserver.sandbox.spawn.Spawner;
import dev.execserver.sandbox.spawn.Stdio;
import dev.execserver.sandbox.tree.ProcessTree;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;
import java.util.function.IntConsumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Tries the two things that the server does inside of a sandbox before its command runs. First, it makes the listening
 * sockets through which a command with a managed network reaches its proxies. Second, it mounts symbolic links on themselves.
 * Bubblewrap blocks meanwhile, as at a real start. The doctor's thread uses it.
 */
public final class BridgeProbe {
    /** Any port will do, because the network namespace is empty. */
    private static final int PORT = 61001;

    private static final int MAX_STATUS = 4096;
    /** Time between two attempts, in ns; bubblewrap needs about as long for its step. */
    private static final long PAUSE_NANOS = 200_000;

    private static final Pattern FIRST_PROCESS = Pattern.compile("\"child-pid\":\\s*(\\d+)");

    /** A link that is in the /dev of every sandbox and of every host, so it exists before and after bubblewrap mounts /dev. */
    private static final LinuxPath LINK = LinuxPath.of("/dev/fd");

    /** Bubblewrap blocks on descriptor 0 until it is killed. It writes the pid of its first process to descriptor 1. */
    private static final List<String> ARGUMENTS = List.of(
            "--unshare-user",
            "--die-with-parent",
            "--ro-bind",
            "/",
            "/",
            "--dev",
            "/dev",
            "--block-fd",
            "0",
            "--json-status-fd",
            "1",
            "--",
            "/bin/true");

    private final Spawner spawner;
    private final ProcessMarks marks;
    private final ProcessTree tree;
    private final NamespaceSockets sockets;
    private final LinkMounts links;

    public BridgeProbe(Spawner spawner, Poller poller, ProcessMarks marks, ProcessTree tree) {
        this.spawner = spawner;
        this.marks = marks;
        this.tree = tree;
        this.sockets = new NamespaceSockets(spawner, poller);
        this.links = new LinkMounts(spawner);
    }

    /** Makes a listening socket. Returns the obstacle; empty if it works. */
    Optional<String> attempt(BwrapProgram program, Duration limit) {
        return inside(
                program,
                limit,
                List.of("--unshare-net"),
                pid -> sockets.listen(pid, List.of(PORT)).forEach(AsyncFd::close));
    }

    /** Mounts a link on itself. Returns the obstacle; empty if it works. */
    Optional<String> mountLink(BwrapProgram program, Duration limit) {
        long deadline = System.nanoTime() + limit.toNanos();
        return inside(program, limit, List.of(), pid -> {
            while (!mounted(pid, System.nanoTime() > deadline)) {
                LockSupport.parkNanos(PAUSE_NANOS);
            }
        });
    }

    /**
     * Returns false if /dev is missing, because bubblewrap changes the root at this moment; the last attempt throws instead, and
     * one for a process that does not exist.
     */
    private boolean mounted(int pid, boolean last) {
        try {
            links.mount(pid, List.of(LINK));
            return true;
        } catch (LinuxException e) {
            if (last || e.errno() != Errno.ENOENT || ProcFiles.stat(pid).isEmpty()) {
                throw e;
            }
            return false;
        }
    }

    private Optional<String> inside(BwrapProgram program, Duration limit, List<String> options, IntConsumer work) {
        List<String> arguments = new ArrayList<>(ARGUMENTS);
        arguments.addAll(0, options);
        Child child;
        try {
            child = spawner.spawn(new SpawnRequest(
                    program.launch().program(),
                    program.launch().argv("bwrap", arguments),
                    List.of(),
                    new byte[] {'/'},
                    new Stdio.Pipes(true),
                    marks.next()));
        } catch (LinuxException e) {
            return Optional.of(e.getMessage());
        }
        try {
            return enter(child, limit, work);
        } finally {
            child.signalGroup(ProcessCalls.SIGKILL);
            boolean _ = tree.kill(child); // false: it hangs in the kernel and dies when the kernel lets it
            child.closeStreams();
        }
    }

    private static Optional<String> enter(Child child, Duration limit, IntConsumer work) {
        Optional<Integer> inside = firstProcess(child.stdout(), limit);
        if (inside.isEmpty()) {
            String words = child.stderr()
                    .map(stream -> Drain.available(stream, MAX_STATUS).strip())
                    .orElse("");
            return Optional.of(
                    words.isEmpty() ? "bubblewrap did not name a process within " + limit.toMillis() + " ms" : words);
        }
        try {
            work.accept(inside.get());
            return Optional.empty();
        } catch (LinuxException e) {
            return Optional.of(e.getMessage());
        }
    }

    private static Optional<Integer> firstProcess(AsyncFd status, Duration limit) {
        long deadline = System.nanoTime() + limit.toNanos();
        StringBuilder said = new StringBuilder();
        while (said.length() < MAX_STATUS && status.awaitReadable(deadline - System.nanoTime())) {
            String more = Drain.available(status, MAX_STATUS);
            said.append(more);
            Matcher process = FIRST_PROCESS.matcher(said);
            if (process.find()) {
                return Optional.of(Integer.valueOf(process.group(1)));
            }
            if (more.isEmpty()) {
                break; // the end
            }
        }
        return Optional.empty();
    }
}
