package dev.execserver.sandbox.spawn;

import dev.execserver.sandbox.io.AsyncFd;
import dev.execserver.sandbox.io.Poller;
import dev.execserver.sandbox.io.PtyPair;
import dev.execserver.sandbox.linux.Fd;
import dev.execserver.sandbox.linux.FileCalls;
import dev.execserver.sandbox.linux.PipeCalls;
import dev.execserver.sandbox.linux.SocketCalls;
import dev.execserver.sandbox.linux.SpawnCalls.Source;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;

/**
 * The descriptors of one start: those of the child and those that the server keeps. Closing it always closes the child's
 * ends. It also closes the server's ends unless {@link #child} has taken them, so no failure leaves anything open. One
 * spawner thread uses it.
 */
final class ChildDescriptors implements AutoCloseable {
    private static final byte[] DEV_NULL = SpawnRequest.bytes("/dev/null");

    private final Poller poller;
    private final List<Source> sources = new ArrayList<>();
    private final List<Fd> childEnds = new ArrayList<>();
    private final List<AsyncFd> ours = new ArrayList<>();
    private Optional<AsyncFd> stdin = Optional.empty();
    private AsyncFd stdout;
    private Optional<AsyncFd> stderr = Optional.empty();
    private boolean terminal;
    private boolean taken;
    private int newestFd;

    private ChildDescriptors(Poller poller) {
        this.poller = poller;
    }

    /**
     * Opens the descriptors of a start.
     *
     * @param pipeBytes capacity to which a busy output pipe grows
     */
    static ChildDescriptors of(Stdio stdio, List<Fd> inherited, Poller poller, int pipeBytes) {
        ChildDescriptors wiring = new ChildDescriptors(poller);
        try {
            switch (stdio) {
                case Stdio.Pipes(boolean input) -> wiring.addPipes(input, pipeBytes);
                case Stdio.Channel() -> wiring.addChannel(pipeBytes);
                case Stdio.Terminal(PtyPair pair) -> wiring.addTerminal(pair);
                case Stdio.Inherited _ -> wiring.addInherited();
                case Stdio.Given(SortedMap<Integer, Fd> given) -> wiring.addGiven(given);
            }
            wiring.addInherited(inherited);
            return wiring;
        } catch (RuntimeException e) {
            wiring.close();
            throw e;
        }
    }

    private void addInherited() {
        // A dup2 of a number onto itself clears FD_CLOEXEC, as wanted.
        for (int fd = 0; fd < 3; fd++) {
            sources.add(new Source.Copy(fd));
        }
    }

    private void addGiven(SortedMap<Integer, Fd> given) {
        int end = given.isEmpty() ? 0 : given.lastKey() + 1;
        for (int number = 0; number < Math.max(3, end); number++) {
            Fd fd = given.get(number);
            if (fd != null) {
                newestFd = Math.max(newestFd, fd.number());
                sources.add(new Source.Copy(fd.number()));
            } else if (number < 3) {
                sources.add(new Source.Open(DEV_NULL, FileCalls.O_RDWR));
            } else {
                sources.add(new Source.Nothing());
            }
        }
    }

    /**
     * Adds inherited descriptors. First they are duplicated to higher numbers, because dup2 to a low number would overwrite
     * the source of the next one.
     */
    private void addInherited(List<Fd> inherited) {
        int lowest = sources.size() + inherited.size();
        for (Fd fd : inherited) {
            addCopy(FileCalls.duplicate(fd.number(), lowest));
        }
    }

    List<Source> sources() {
        return sources;
    }

    /** Returns a descriptor number that was the lowest free one a moment ago, or one above it. */
    int newestFd() {
        return newestFd;
    }

    Child child(ProcessLeader leader, ProcessMark mark) {
        taken = true;
        return new Child(leader, mark, terminal, stdin, stdout, stderr);
    }

    @Override
    public void close() {
        childEnds.forEach(Fd::close);
        if (!taken) {
            ours.forEach(AsyncFd::close);
        }
    }

    private void addPipes(boolean input, int pipeBytes) {
        if (input) {
            PipeCalls.Pipe pipe = PipeCalls.pipe();
            addCopy(pipe.readEnd());
            stdin = Optional.of(ourEnd(pipe.writeEnd(), 0));
        } else {
            sources.add(new Source.Open(DEV_NULL, FileCalls.O_RDONLY));
        }
        stdout = addOutput(pipeBytes);
        stderr = Optional.of(addOutput(pipeBytes));
    }

    private void addChannel(int pipeBytes) {
        SocketCalls.SocketPair pair = SocketCalls.streamPair();
        addCopy(pair.theirs());
        sources.add(new Source.Same(0));
        AsyncFd socket = ourEnd(pair.ours(), 0);
        stdin = Optional.of(socket);
        stdout = socket;
        stderr = Optional.of(addOutput(pipeBytes));
    }

    private AsyncFd addOutput(int pipeBytes) {
        PipeCalls.Pipe pipe = PipeCalls.pipe();
        addCopy(pipe.writeEnd());
        return ourEnd(pipe.readEnd(), pipeBytes);
    }

    /**
     * Adds the terminal. The child leads a session without a terminal when it opens the slave, and opens it without O_NOCTTY.
     * So the kernel makes the slave its controlling terminal, see open(2).
     */
    private void addTerminal(PtyPair pair) {
        terminal = true;
        stdin = Optional.of(pair.master());
        stdout = pair.master();
        sources.add(new Source.Open(SpawnRequest.bytes(pair.slavePath()), FileCalls.O_RDWR));
        sources.add(new Source.Same(0));
        sources.add(new Source.Same(0));
    }

    private void addCopy(Fd childEnd) {
        childEnds.add(childEnd);
        newestFd = childEnd.number();
        sources.add(new Source.Copy(childEnd.number()));
    }

    private AsyncFd ourEnd(Fd fd, int growTo) {
        // O_NONBLOCK belongs to this end alone; the child's end stays blocking, as programs expect.
        try {
            FileCalls.makeNonBlocking(fd.number());
            AsyncFd end = AsyncFd.growingPipe(poller, fd, growTo);
            ours.add(end);
            return end;
        } catch (RuntimeException e) {
            fd.close();
            throw e;
        }
    }
}
