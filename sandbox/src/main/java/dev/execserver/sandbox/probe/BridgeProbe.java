package dev.execserver.sandbox.probe;

import dev.execserver.sandbox.bwrap.BwrapProgram;
import dev.execserver.sandbox.linux.LinuxException;
import dev.execserver.sandbox.linux.ProcessCalls;
import dev.execserver.sandbox.network.NamespaceSockets;
import dev.execserver.sandbox.spawn.AsyncFd;
import dev.execserver.sandbox.spawn.Child;
import dev.execserver.sandbox.spawn.Drain;
import dev.execserver.sandbox.spawn.Poller;
import dev.execserver.sandbox.spawn.ProcessMarks;
import dev.execserver.sandbox.spawn.ProcessTree;
import dev.execserver.sandbox.spawn.SpawnRequest;
import dev.execserver.sandbox.spawn.Spawner;
import dev.execserver.sandbox.spawn.Stdio;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Tries whether this server can make the listening sockets inside of a sandbox that a command with a managed network finds its
 * proxies at. The sandbox waits in bubblewrap meanwhile, as it does at a real start. Used by the doctor's thread.
 */
public final class BridgeProbe {
    /** Any will do: the namespace is empty. */
    private static final int PORT = 61001;

    private static final int MAX_STATUS = 4096;
    private static final Pattern FIRST_PROCESS = Pattern.compile("\"child-pid\":\\s*(\\d+)");

    /** Descriptor 0 holds bubblewrap until it is killed, on descriptor 1 it names its first process. */
    private static final List<String> ARGUMENTS = List.of(
            "--unshare-user",
            "--unshare-net",
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

    public BridgeProbe(Spawner spawner, Poller poller, ProcessMarks marks, ProcessTree tree) {
        this.spawner = spawner;
        this.marks = marks;
        this.tree = tree;
        this.sockets = new NamespaceSockets(spawner, poller);
    }

    /** Empty when it works; else what was against it. */
    Optional<String> attempt(BwrapProgram program, Duration limit) {
        Child child;
        try {
            child = spawner.spawn(new SpawnRequest(
                    program.launch().program(),
                    program.launch().argv("bwrap", ARGUMENTS),
                    List.of(),
                    new byte[] {'/'},
                    new Stdio.Pipes(true),
                    marks.next()));
        } catch (LinuxException e) {
            return Optional.of(e.getMessage());
        }
        try {
            return enter(child, limit);
        } finally {
            child.signalGroup(ProcessCalls.SIGKILL);
            boolean _ = tree.kill(child); // false: it hangs in the kernel and will die when that lets it
            child.closeStreams();
        }
    }

    private Optional<String> enter(Child child, Duration limit) {
        Optional<Integer> inside = firstProcess(child.stdout(), limit);
        if (inside.isEmpty()) {
            String words = child.stderr()
                    .map(stream -> Drain.available(stream, MAX_STATUS).strip())
                    .orElse("");
            return Optional.of(
                    words.isEmpty() ? "bubblewrap did not name a process within " + limit.toMillis() + " ms" : words);
        }
        try {
            sockets.listen(inside.get(), List.of(PORT)).forEach(AsyncFd::close);
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
