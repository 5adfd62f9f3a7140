package dev.execserver.sandbox.network;

import dev.execserver.sandbox.linux.Errno;
import dev.execserver.sandbox.linux.Fd;
import dev.execserver.sandbox.linux.LinuxException;
import dev.execserver.sandbox.linux.MemoryFile;
import dev.execserver.sandbox.linux.ProcessCalls;
import dev.execserver.sandbox.seccomp.Machine;
import dev.execserver.sandbox.spawn.AsyncFd;
import dev.execserver.sandbox.spawn.Child;
import dev.execserver.sandbox.spawn.Drain;
import dev.execserver.sandbox.spawn.ExitStatus;
import dev.execserver.sandbox.spawn.Poller;
import dev.execserver.sandbox.spawn.ProcessMark;
import dev.execserver.sandbox.spawn.SpawnRequest;
import dev.execserver.sandbox.spawn.Spawner;
import dev.execserver.sandbox.spawn.Stdio;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * Makes listening sockets in the network namespace of another process, which belong to this server from then on: no thread
 * of the server ever enters that namespace, and nothing of ours stays there. Any thread; the caller parks for about a
 * millisecond.
 */
public final class NamespaceSockets {
    /** A program that makes a handful of calls; longer only on a machine that is overloaded. */
    private static final Duration LIMIT = Duration.ofSeconds(10);

    private static final String NAME = "listen";
    private static final byte[] PROGRAM = ("/proc/self/fd/" + StageProgram.PROGRAM).getBytes(StandardCharsets.US_ASCII);

    private final Spawner spawner;
    private final Poller poller;

    public NamespaceSockets(Spawner spawner, Poller poller) {
        this.spawner = spawner;
        this.poller = poller;
    }

    /**
     * One socket for each port of 127.0.0.1, in their order. What connects is queued from now on.
     *
     * @param pid of a process in a network namespace that this user's sandbox has made
     * @throws LinuxException with what the kernel had against it; no socket is left then
     */
    public List<AsyncFd> listen(int pid, List<Integer> ports) {
        Machine machine = Machine.current().orElseThrow(() -> new LinuxException("setns", NAME, Errno.ENOSYS));
        byte[] file = StageProgram.assemble(machine, ports);
        try (Fd process = ProcessCalls.pidfdOpen(pid);
                Fd program = MemoryFile.program(NAME, file)) {
            Child stage = spawner.spawn(new SpawnRequest(
                    PROGRAM,
                    List.of(NAME),
                    List.of(),
                    "/".getBytes(StandardCharsets.US_ASCII),
                    new Stdio.Channel(),
                    ProcessMark.NONE,
                    List.of(process, program)));
            try {
                return finish(stage, ports.size());
            } finally {
                stage.closeStreams();
            }
        }
    }

    /** The last socket is the last thing that the program does: nobody waits for its end. */
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
