package dev.execserver.sandbox.spawn;

import dev.execserver.sandbox.io.ClosedException;
import dev.execserver.sandbox.io.Poller;
import dev.execserver.sandbox.linux.EpollCalls;
import dev.execserver.sandbox.linux.Errno;
import dev.execserver.sandbox.linux.Fd;
import dev.execserver.sandbox.linux.LinuxException;
import dev.execserver.sandbox.linux.ProcessCalls;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;

/**
 * A started process without its streams: leader of its session and group, watched by a pidfd. The poller's thread reaps it as
 * soon as it ends, even if no thread waits. It reaps no other process, so other code in the JVM keeps its children.
 *
 * <p>The lock makes "not yet reaped" and "send the signal" one step. Until the leader is reaped, no other process can get its
 * pid or group number. The calls under the lock do not block.
 */
public final class ProcessLeader implements Poller.Target {
    private static final System.Logger LOG = System.getLogger(ProcessLeader.class.getName());
    private static final long RETRY_NANOS = 1_000_000;

    private final int pid;
    private final Fd pidfd;
    private final Poller poller;
    private final long token;
    private final ReentrantLock lock = new ReentrantLock();
    private final CompletableFuture<ExitStatus> exit = new CompletableFuture<>();
    private boolean reaped;

    private ProcessLeader(int pid, Fd pidfd, Poller poller) {
        this.pid = pid;
        this.pidfd = pidfd;
        this.poller = poller;
        this.token = poller.enroll(this);
    }

    /** Watches a child of this process that was not reaped yet. On failure the caller keeps the pidfd. */
    static ProcessLeader watch(int pid, Fd pidfd, Poller poller) {
        ProcessLeader leader = new ProcessLeader(pid, pidfd, poller);
        OwnChildren.watched(leader);
        try {
            poller.arm(leader.token, pidfd.number(), EpollCalls.EPOLLIN, true);
        } catch (RuntimeException e) {
            OwnChildren.released(leader);
            poller.forget(leader.token, pidfd.number(), false);
            throw e;
        }
        return leader;
    }

    public int pid() {
        return pid;
    }

    public boolean exited() {
        return exit.isDone();
    }

    public ExitStatus awaitExit() {
        try {
            return exit.join();
        } catch (CompletionException e) {
            throw new ClosedException("poller");
        }
    }

    public Optional<ExitStatus> awaitExit(Duration limit) throws InterruptedException {
        try {
            return Optional.of(exit.get(limit.toNanos(), TimeUnit.NANOSECONDS));
        } catch (TimeoutException e) {
            return Optional.empty();
        } catch (ExecutionException e) {
            throw new ClosedException("poller");
        }
    }

    /** Runs the action on the poller's thread when the process was reaped or can no longer be. The action must not block. */
    void whenExited(Runnable action) {
        exit.whenComplete((status, failure) -> action.run());
    }

    /** Signals only the process itself; false if it was reaped already. */
    public boolean signal(int signal) {
        lock.lock();
        try {
            return !reaped && ProcessCalls.pidfdSendSignal(pidfd, signal);
        } finally {
            lock.unlock();
        }
    }

    /** Signals its whole process group; false if the leader was reaped already. */
    boolean signalGroup(int signal) {
        lock.lock();
        try {
            return !reaped && ProcessCalls.kill(-pid, signal);
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void ready(int events) {
        Optional<ExitStatus> status = reap();
        if (status.isPresent()) {
            exit.complete(status.get());
        } else {
            // An attached debugger sees the end first. Arming again at once would spin until the debugger lets go.
            SpawnThreads.virtual("exit-retry-" + pid, () -> {
                LockSupport.parkNanos(RETRY_NANOS);
                rearm();
            });
        }
    }

    @Override
    public void pollerClosed() {
        lock.lock();
        try {
            if (!reaped) {
                reaped = true;
                pidfd.close();
                OwnChildren.released(this);
            }
        } finally {
            lock.unlock();
        }
        exit.completeExceptionally(new ClosedException("poller"));
    }

    private void rearm() {
        lock.lock();
        try {
            if (!reaped) {
                poller.arm(token, pidfd.number(), EpollCalls.EPOLLIN, false);
            }
        } catch (ClosedException e) {
            LOG.log(System.Logger.Level.DEBUG, "poller closed before the exit of {0} was seen", pid);
        } finally {
            lock.unlock();
        }
    }

    private Optional<ExitStatus> reap() {
        lock.lock();
        try {
            if (reaped) {
                return Optional.empty();
            }
            Optional<ExitStatus> status = ProcessCalls.reap(pidfd).map(ExitStatus::of);
            if (status.isPresent()) {
                release();
            }
            return status;
        } catch (LinuxException e) {
            if (e.errno() != Errno.ECHILD) {
                throw e;
            }
            // SIGCHLD is ignored in this process, or another reaper of the embedding program was faster.
            LOG.log(System.Logger.Level.WARNING, "exit status of process {0} was collected by somebody else", pid);
            release();
            return Optional.of(ExitStatus.unknown());
        } finally {
            lock.unlock();
        }
    }

    private void release() {
        reaped = true;
        OwnChildren.released(this);
        poller.forget(token, pidfd.number(), true);
        pidfd.close();
    }
}
