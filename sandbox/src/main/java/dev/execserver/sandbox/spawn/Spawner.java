package dev.execserver.sandbox.spawn;

import dev.execserver.sandbox.io.ClosedException;
import dev.execserver.sandbox.io.Poller;
import dev.execserver.sandbox.io.PtyPair;
import dev.execserver.sandbox.linux.Errno;
import dev.execserver.sandbox.linux.Fd;
import dev.execserver.sandbox.linux.FileCalls;
import dev.execserver.sandbox.linux.LinuxException;
import dev.execserver.sandbox.linux.PipeCalls;
import dev.execserver.sandbox.linux.ProcessCalls;
import dev.execserver.sandbox.linux.SpawnCalls;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.IntConsumer;
import java.util.function.Supplier;
import java.util.function.ToIntFunction;

/**
 * Starts processes. Permanent platform threads do the work while the caller parks, because a parent-death signal
 * (PR_SET_PDEATHSIG, bwrap's --die-with-parent) follows the <em>thread</em> that spawned. On a carrier of virtual threads, it
 * would be sent when the idle carrier ends. One thread spawns at a time, because limits are inherited from the whole process
 * (see {@link InheritedLimits}); the others prepare pipes meanwhile.
 *
 * <p>Any thread may call. The queue is its own lock. Each caller waits, so the number of callers bounds the queue.
 */
public final class Spawner implements AutoCloseable {
    private static final byte[] SHELL = HeldStart.SHELL.program();

    private final Poller poller;
    private final Options options;
    private final BlockingQueue<Runnable> queue = new LinkedBlockingQueue<>();
    private final AtomicBoolean closed = new AtomicBoolean();
    private volatile Launch holdingShell = HeldStart.SHELL;

    /** Ends one thread after the other. */
    private record Stop() implements Runnable {
        @Override
        public void run() {}
    }

    /**
     * Settings of a spawner.
     *
     * @param threads at least 4
     * @param pipeBytes capacity to which an output pipe grows after 256 KiB; 0 for never. Without privilege the kernel may
     *     refuse, and the pipe keeps its 64 KiB
     */
    public record Options(int threads, int pipeBytes) {
        public static final Options DEFAULT = new Options(4, 1 << 20);

        public Options {
            if (threads < 4) {
                throw new IllegalArgumentException("threads must be at least 4, not " + threads);
            }
        }
    }

    public Spawner(Poller poller) {
        this(poller, Options.DEFAULT);
    }

    public Spawner(Poller poller, Options options) {
        this.poller = poller;
        this.options = options;
        for (int i = 0; i < options.threads(); i++) {
            SpawnThreads.daemon("spawner-" + i, this::work);
        }
    }

    /**
     * Starts the program; the caller parks until it runs. An executable file in a format that the kernel does not know is run
     * by /bin/sh, as execvp(3) does. A terminal in the request belongs to the child from now on and is closed if the start
     * fails.
     *
     * @throws LinuxException with the errno of posix_spawn(3), pipe2(2) or pidfd_open(2); nothing stays open or running then.
     *     ENOENT can mean program, interpreter or directory: {@link ProgramLookup#missing} tells which
     * @throws IllegalArgumentException if a string holds a NUL byte, or argv is empty
     * @throws ClosedException if spawner or poller are closed
     */
    public Child spawn(SpawnRequest request) {
        return begin(request).await();
    }

    /**
     * Starts the program as {@link #spawn} does, without waiting.
     *
     * @throws IllegalArgumentException as {@link #spawn}, at once
     */
    public Beginning<Child> begin(SpawnRequest request) {
        try {
            if (request.argv().isEmpty()) {
                throw new IllegalArgumentException("argv must not be empty");
            }
            if (request.stdio() instanceof Stdio.Inherited || request.stdio() instanceof Stdio.Given) {
                throw new IllegalArgumentException("a child without streams of its own is spawned attached");
            }
            return submit(() -> startOrGiveBack(request));
        } catch (RuntimeException | Error e) {
            giveBack(request);
            throw e;
        }
    }

    /** A start under way. */
    public record Beginning<T>(CompletableFuture<T> result) {
        /** Waits for the start. Throws the exceptions of {@link Spawner#spawn}. */
        public T await() {
            try {
                return result.join();
            } catch (CompletionException e) {
                throw rethrow(e.getCause());
            }
        }

        /** Waits for the start; empty if it failed. */
        public Optional<T> started() {
            try {
                return Optional.of(await());
            } catch (RuntimeException e) {
                return Optional.empty();
            }
        }
    }

    /** Sets the shell that holds later starts. */
    public void useShell(Launch shell) {
        holdingShell = shell;
    }

    /**
     * Starts a request whose streams are {@link Stdio.Inherited} or {@link Stdio.Given}, as {@link #spawn} does.
     *
     * @throws LinuxException as {@link #spawn}
     */
    public AttachedChild spawnAttached(SpawnRequest request) {
        return beginAttached(request).await();
    }

    /** Starts the program as {@link #spawnAttached} does, without waiting. */
    public Beginning<AttachedChild> beginAttached(SpawnRequest request) {
        return submit(() -> new AttachedChild(startAttached(request)));
    }

    /** Starts a process without streams of the server: it gets only the descriptors of the plan. */
    public ProcessLeader launch(SpawnCalls.Plan plan, int newestFd) {
        return submit(() -> launch(plan, ProcessMark.NONE, newestFd, Optional.empty()))
                .await();
    }

    /** Ends the threads after the queued starts. Children with a parent-death signal get it now. */
    @Override
    public void close() {
        if (closed.compareAndSet(false, true)) {
            queue.add(new Stop());
        }
    }

    private <T> Beginning<T> submit(Supplier<T> body) {
        CompletableFuture<T> result = new CompletableFuture<>();
        Runnable task = () -> {
            try {
                result.complete(body.get());
            } catch (RuntimeException | Error e) {
                result.completeExceptionally(e);
            }
        };
        queue.add(task);
        // After close no thread may be left to take the task. The one that removes it first decides.
        if (closed.get() && queue.remove(task)) {
            throw new ClosedException("spawner");
        }
        return new Beginning<>(result);
    }

    private static RuntimeException rethrow(Throwable cause) {
        return switch (cause) {
            case RuntimeException runtime -> runtime;
            case Error error -> throw error;
            default -> new IllegalStateException(cause);
        };
    }

    private void work() {
        try {
            while (true) {
                Runnable task = queue.take();
                if (task instanceof Stop) {
                    queue.add(task);
                    return;
                }
                task.run();
            }
        } catch (InterruptedException e) {
            throw new IllegalStateException("nobody may interrupt a spawner thread", e);
        }
    }

    private Child startOrGiveBack(SpawnRequest request) {
        try {
            return start(request);
        } catch (RuntimeException | Error e) {
            giveBack(request);
            throw e;
        }
    }

    private static void giveBack(SpawnRequest request) {
        if (request.stdio() instanceof Stdio.Terminal(PtyPair pair)) {
            pair.close();
        }
    }

    private Child start(SpawnRequest request) {
        return request.whileHeld().isPresent()
                ? startHeld(request, request.whileHeld().get())
                : startNow(request);
    }

    /** Starts a held process. It leads its own group, so it can be killed before any code of the program has run. */
    private Child startHeld(SpawnRequest request, IntConsumer work) {
        PipeCalls.Pipe gate = PipeCalls.pipe();
        try (Fd theirs = gate.readEnd();
                Fd ours = gate.writeEnd()) {
            Child child = startNow(HeldStart.wrapped(request, theirs, holdingShell));
            try {
                work.accept(child.pid());
                FileCalls.writeByte(ours.number());
                return child;
            } catch (RuntimeException e) {
                child.signalGroup(ProcessCalls.SIGKILL);
                child.closeStreams();
                throw e;
            }
        }
    }

    private Child startNow(SpawnRequest request) {
        try (ChildDescriptors wiring =
                ChildDescriptors.of(request.stdio(), request.inherited(), poller, options.pipeBytes())) {
            return wiring.child(launch(request, wiring), request.mark());
        }
    }

    private ProcessLeader startAttached(SpawnRequest request) {
        try (ChildDescriptors wiring = ChildDescriptors.of(request.stdio(), request.inherited(), poller, 0)) {
            return launch(request, wiring);
        }
    }

    private ProcessLeader launch(SpawnRequest request, ChildDescriptors wiring) {
        SpawnCalls.Plan plan = new SpawnCalls.Plan(
                request.program(),
                encode(request.argv()),
                encode(request.environment()),
                Optional.of(request.cwd()),
                wiring.sources(),
                attributes(request));
        return launch(plan, request.mark(), wiring.newestFd(), request.restriction());
    }

    private static SpawnCalls.Attributes attributes(SpawnRequest request) {
        return request.stdio() instanceof Stdio.Inherited(boolean terminal, List<Integer> ignored)
                ? new SpawnCalls.Attributes(!terminal, request.blockedSignals(), ignored)
                : new SpawnCalls.Attributes(true, request.blockedSignals(), List.of());
    }

    private ProcessLeader launch(
            SpawnCalls.Plan plan, ProcessMark mark, int newestFd, Optional<Restriction> restriction) {
        Optional<RestrictedThread> thread = restriction.map(RestrictedThread::start);
        try {
            ToIntFunction<SpawnCalls.Plan> call = thread.<ToIntFunction<SpawnCalls.Plan>>map(own -> own::spawn)
                    .orElse(SpawnCalls::spawn);
            ProcessLeader leader = OwnChildren.spawned(() -> watched(spawnOrShell(plan, mark, newestFd, call)));
            thread.ifPresent(own -> leader.whenExited(own::release));
            return leader;
        } catch (RuntimeException e) {
            thread.ifPresent(RestrictedThread::release);
            throw e;
        }
    }

    private ProcessLeader watched(int pid) {
        Optional<Fd> pidfd = Optional.empty();
        try {
            pidfd = Optional.of(ProcessCalls.pidfdOpen(pid));
            return ProcessLeader.watch(pid, pidfd.get(), poller);
        } catch (RuntimeException e) {
            // Without a pidfd no thread could wait for it.
            ProcessCalls.destroy(pid);
            pidfd.ifPresent(Fd::close);
            throw e;
        }
    }

    private static int spawnOrShell(
            SpawnCalls.Plan plan, ProcessMark mark, int newestFd, ToIntFunction<SpawnCalls.Plan> call) {
        try {
            return InheritedLimits.spawn(plan, mark, newestFd, call);
        } catch (LinuxException e) {
            if (e.errno() != Errno.ENOEXEC) {
                throw e;
            }
        }
        List<byte[]> argv = new ArrayList<>(plan.argv());
        argv.set(0, plan.program());
        argv.addFirst(SHELL);
        SpawnCalls.Plan shell = new SpawnCalls.Plan(
                SHELL, argv, plan.environment(), plan.workingDirectory(), plan.descriptors(), plan.attributes());
        return InheritedLimits.spawn(shell, mark, newestFd, call);
    }

    private static List<byte[]> encode(List<String> values) {
        return values.stream().map(SpawnRequest::bytes).toList();
    }
}
