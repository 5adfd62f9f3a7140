package dev.execserver.sandbox.intercept;

import dev.execserver.sandbox.io.AsyncFd;
import dev.execserver.sandbox.io.ClosedException;
import dev.execserver.sandbox.io.Poller;
import dev.execserver.sandbox.linux.Errno;
import dev.execserver.sandbox.linux.Fd;
import dev.execserver.sandbox.linux.NotifyCalls;
import dev.execserver.sandbox.linux.NotifyCalls.Notification;
import dev.execserver.sandbox.linux.RestrictionCalls;
import dev.execserver.sandbox.seccomp.Machine;
import dev.execserver.sandbox.seccomp.NotifyFilter;
import dev.execserver.sandbox.spawn.Restriction;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;

/**
 * The interception of one command: puts the filter on the thread that starts it, receives the notifications and has them
 * decided. It lasts until the last task of the command has ended, or until it is closed.
 *
 * <p>The starting thread calls {@link #restrict}, a spawner thread {@link #starting}, one virtual thread of its own receives,
 * workers and virtual threads answer, any thread may close. No locks.
 */
public final class Interception implements Restriction, AutoCloseable {
    /** Execs that wait for a decision, of one command. More wait in the kernel. */
    static final int MAX_OPEN = 1024;

    private final Poller poller;
    private final byte[] filter;
    private final Examiners examiners;
    private final CommandWorkers workers;
    private final Semaphore room = new Semaphore(MAX_OPEN);
    private final Set<PendingCall> open = ConcurrentHashMap.newKeySet();
    private final CompletableFuture<Void> ended = new CompletableFuture<>();
    private volatile Fd installed;
    private volatile Optional<AsyncFd> listener = Optional.empty();
    private volatile boolean first;
    private volatile boolean closed;

    /** Examiners of the calls of one command. */
    record Examiners(Machine machine, Optional<ExecExaminer> execs, Optional<CallExaminer> connects) {
        void examine(PendingCall call, CommandWorkers workers, Runnable done) {
            if (NotifyFilter.isConnect(machine, call.notification().number())) {
                connects.orElseThrow().examine(call, workers::run, done);
            } else {
                execs.orElseThrow().examine(call, done);
            }
        }
    }

    Interception(Poller poller, byte[] filter, Examiners examiners, CommandWorkers workers) {
        this.poller = poller;
        this.filter = filter;
        this.examiners = examiners;
        this.workers = workers;
    }

    @Override
    public void restrict() {
        if (installed != null) {
            throw new IllegalStateException("an interception is for one start");
        }
        RestrictionCalls.noNewPrivileges();
        installed = NotifyCalls.installListener(filter);
    }

    /**
     * Begins to receive. The next notification is the start of the command by this server: until it is answered, no other
     * task has the filter, except the starting thread, which waits for it.
     */
    @Override
    public void starting() {
        first = examiners.execs().isPresent();
        examiners.execs().ifPresent(ExecExaminer::starting);
        if (listener.isEmpty()) {
            AsyncFd fd = AsyncFd.pipe(poller, installed);
            listener = Optional.of(fd);
            if (closed) {
                fd.close();
            }
            InterceptThreads.virtual("exec-listener-" + installed.number(), () -> receiveAll(fd));
        }
    }

    @Override
    public void alsoExecuted() {
        examiners.execs().ifPresent(ExecExaminer::alsoExecuted);
    }

    /** Completes when no task of the command is left, or after the close. */
    public CompletableFuture<Void> ended() {
        return ended.copy();
    }

    void whenEnded(Runnable action) {
        ended.whenComplete((nothing, failure) -> action.run());
    }

    /** Returns the number of execs that wait for a decision. */
    public int waiting() {
        return open.size();
    }

    /** Denies all that waits. Later execs of the command fail. Idempotent. */
    @Override
    public void close() {
        closed = true;
        open.forEach(exec -> {
            if (exec.claim()) {
                boolean _ = exec.fail(Errno.EACCES); // false: the task is gone
            }
            exec.forget();
        });
        if (listener.isPresent()) {
            listener.get().close();
        } else {
            Optional.ofNullable(installed).ifPresent(Fd::close);
            ended.complete(null);
        }
    }

    /** Forgets what nobody waits for any more; on the watching thread of the supervisor. */
    void forgetDead() {
        for (PendingCall exec : open) {
            if (!exec.waiting()) {
                exec.forget();
            }
        }
    }

    private void receiveAll(AsyncFd fd) {
        try {
            boolean alive = true;
            while (alive) {
                switch (fd.use(NotifyCalls::state)) {
                    case READY -> receive(fd);
                    case IDLE -> fd.awaitReadable();
                    case ENDED -> alive = false;
                }
            }
        } catch (ClosedException e) {
            // closed by the supervisor or with the poller; the kernel fails what waits
        } finally {
            close();
            ended.complete(null);
        }
    }

    private void receive(AsyncFd fd) {
        room.acquireUninterruptibly();
        workers.takeTurn();
        Optional<Notification> notification = fd.use(NotifyCalls::receive);
        if (notification.isEmpty()) {
            workers.giveBack();
            room.release();
            return;
        }
        PendingCall exec = new PendingCall(fd, notification.get());
        if (first) {
            first = false;
            boolean _ = exec.claim() && exec.proceed(); // false: the start was given up
            workers.giveBack();
            room.release();
            return;
        }
        open.add(exec);
        if (!workers.runInTurn(() -> examine(exec))) {
            if (exec.claim()) {
                boolean _ = exec.fail(Errno.EAGAIN);
            }
            answered(exec);
        }
    }

    private void examine(PendingCall exec) {
        if (closed && exec.claim()) {
            boolean _ = exec.fail(Errno.EACCES);
        }
        examiners.examine(exec, workers, () -> answered(exec));
    }

    private void answered(PendingCall exec) {
        if (open.remove(exec)) {
            room.release();
        }
    }
}
