package dev.execserver.sandbox.network;

import dev.execserver.sandbox.io.AsyncFd;
import dev.execserver.sandbox.io.Drain;
import dev.execserver.sandbox.io.Poller;
import dev.execserver.sandbox.linux.Errno;
import dev.execserver.sandbox.linux.Fd;
import dev.execserver.sandbox.linux.FileCalls;
import dev.execserver.sandbox.linux.LinuxException;
import dev.execserver.sandbox.linux.MemoryFile;
import dev.execserver.sandbox.linux.NamespaceCalls;
import dev.execserver.sandbox.linux.ProcessCalls;
import dev.execserver.sandbox.seccomp.Machine;
import dev.execserver.sandbox.spawn.Child;
import dev.execserver.sandbox.spawn.ExitStatus;
import dev.execserver.sandbox.spawn.ProcessMark;
import dev.execserver.sandbox.spawn.SpawnRequest;
import dev.execserver.sandbox.spawn.Spawner;
import dev.execserver.sandbox.spawn.Stdio;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * Makes sockets in the network namespace of another process and takes them over. No thread of the server ever
 * enters that namespace, and no process stays there. Any thread; the caller parks for about a millisecond.
 */
public final class NamespaceSockets {
    /** Time limit of a program that makes a handful of calls. Only an overloaded machine needs longer. */
    private static final Duration LIMIT = Duration.ofSeconds(10);

    private static final String NAME = "listen";
    private static final byte[] PROGRAM = ("/proc/self/fd/" + StageProgram.PROGRAM).getBytes(StandardCharsets.US_ASCII);

    private final Spawner spawner;
    private final Poller poller;

    public NamespaceSockets(Spawner spawner, Poller poller) {
        this.spawner = spawner;
        this.poller = poller;
    }

    /** Makes listening sockets as {@link #open} does. */
    public List<AsyncFd> listen(int pid, List<Integer> ports) {
        return open(pid, new InnerSockets(ports));
    }

    /**
     * Makes one socket for each port of 127.0.0.1, in the same order, then that for names and that for questions. Connections and queries are queued
     * from now on.
     *
     * @param pid a process in a network namespace that a sandbox of this user has made
     * @throws LinuxException with the error of the kernel; no socket is left open then
     */
    public List<AsyncFd> open(int pid, InnerSockets sockets) {
        Machine machine = Machine.current().orElseThrow(() -> new LinuxException("setns", NAME, Errno.ENOSYS));
        byte[] file = StageProgram.assemble(machine, sockets);
        try (Fd network = networkOf(pid);
                Fd owner = NamespaceCalls.owner(network);
                Fd program = MemoryFile.program(NAME, file)) {
            Child stage = spawner.spawn(new SpawnRequest(
                    PROGRAM,
                    List.of(NAME),
                    List.of(),
                    "/".getBytes(StandardCharsets.US_ASCII),
                    new Stdio.Channel(),
                    ProcessMark.NONE,
                    List.of(owner, network, program)));
            try {
                return finish(stage, sockets.count());
            } finally {
                stage.closeStreams();
            }
        }
    }

    private static Fd networkOf(int pid) {
        try {
            byte[] link = ("/proc/" + pid + "/ns/net").getBytes(StandardCharsets.US_ASCII);
            return FileCalls.open(link, FileCalls.O_RDONLY, 0);
        } catch (LinuxException e) {
            throw new LinuxException(
                    "open", "the network of process " + pid, e.errno() == Errno.ENOENT ? Errno.ESRCH : e.errno());
        }
    }

    /** Takes over the sockets. Sending the last one is the last act of the program, so nothing waits for its end. */
    private List<AsyncFd> finish(Child stage, int count) {
        List<Fd> sockets = Drain.descriptors(stage.stdout(), count, LIMIT);
        if (sockets.size() == count) {
            return sockets.stream().map(fd -> AsyncFd.pipe(poller, fd)).toList();
        }
        sockets.forEach(Fd::close);
        throw new LinuxException(
                "setns",
                "a listening socket inside the sandbox",
                awaitExit(stage).map(ExitStatus::code).filter(code -> code > 0).orElse(Errno.ETIMEDOUT));
    }

    private static Optional<ExitStatus> awaitExit(Child stage) {
        try {
            Optional<ExitStatus> exit = stage.awaitExit(LIMIT);
            if (exit.isEmpty()) {
                stage.signal(ProcessCalls.SIGKILL);
            }
            return exit;
        } catch (InterruptedException e) {
            stage.signal(ProcessCalls.SIGKILL);
            Thread.currentThread().interrupt();
            return Optional.empty();
        }
    }
}
