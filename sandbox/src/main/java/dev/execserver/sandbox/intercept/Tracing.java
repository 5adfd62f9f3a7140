package dev.execserver.sandbox.intercept;

import dev.execserver.sandbox.linux.Errno;
import dev.execserver.sandbox.linux.LinuxException;
import dev.execserver.sandbox.linux.ProcessCalls;
import dev.execserver.sandbox.linux.PtraceCalls;
import dev.execserver.sandbox.linux.PtraceCalls.Event;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.IntPredicate;

/**
 * Answers that need ptrace(2) for a moment. The task is stopped as soon as it comes out of its system call, so each trace
 * ends: either a new program stands before its first instruction, or the exec has failed. Runs on an {@link ExecWorkers}
 * thread, which must end with its tracee.
 */
final class Tracing {
    private Tracing() {}

    /** Ends the task with an exit code instead of the exec. */
    static void exit(PendingCall exec, int code) {
        if (!seize(exec, 0)) {
            return;
        }
        boolean _ = exec.fail(Errno.EACCES); // false: it is about to end, as the wait shows
        if (await() instanceof Event.Stopped(int pid)) {
            tracee(() -> {
                PtraceCalls.exitNext(pid, exec.notification().instruction(), code);
                PtraceCalls.detach(pid);
            });
        }
    }

    /**
     * Lets the exec go on and looks at the new program before it runs.
     *
     * @param expected returns true if the process runs what was decided; else it is killed
     * @return false if it was killed
     */
    static boolean verified(PendingCall exec, IntPredicate expected) {
        if (!seize(exec, PtraceCalls.TRACE_EXEC)) {
            return true;
        }
        AtomicBoolean fine = new AtomicBoolean(true);
        boolean _ = exec.proceed(); // false: it is about to end, as the wait shows
        switch (await()) {
            case Event.Executed(int pid) ->
                tracee(() -> {
                    fine.set(expected.test(pid));
                    if (!fine.get()) {
                        // Killed while it is traced, a child of this server would have its end seen by this thread, so
                        // it
                        // is let go first, in a state in which it cannot run an instruction.
                        PtraceCalls.crashNext(pid);
                    }
                    PtraceCalls.detach(pid);
                    if (!fine.get()) {
                        boolean _ = ProcessCalls.kill(pid, ProcessCalls.SIGKILL); // false: it has crashed already
                    }
                });
            case Event.Stopped(int pid) -> tracee(() -> PtraceCalls.detach(pid)); // the exec has failed
            case Event.Ended _ -> throw new ExecWorkers.TraceeEnded();
        }
        return fine.get();
    }

    /** Makes the task a tracee that will stop. If somebody else traces it, the exec fails. */
    private static boolean seize(PendingCall exec, int options) {
        try {
            PtraceCalls.seize(exec.tid(), options);
        } catch (LinuxException e) {
            boolean _ = exec.fail(Errno.EACCES); // false: the task is gone
            return false;
        }
        try {
            PtraceCalls.interrupt(exec.tid());
            return true;
        } catch (LinuxException e) {
            boolean _ = exec.fail(Errno.EACCES);
            throw new ExecWorkers.TraceeEnded();
        }
    }

    private static Event await() {
        try {
            Event event = PtraceCalls.await();
            if (event instanceof Event.Ended) {
                throw new ExecWorkers.TraceeEnded();
            }
            return event;
        } catch (LinuxException e) {
            // ECHILD: reaped by its parent in this process meanwhile.
            throw new ExecWorkers.TraceeEnded();
        }
    }

    /** Works on a stopped tracee, which SIGKILL can end at any moment. */
    private static void tracee(Runnable work) {
        try {
            work.run();
        } catch (LinuxException e) {
            throw new ExecWorkers.TraceeEnded();
        }
    }
}
