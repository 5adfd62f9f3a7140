package dev.execserver.sandbox.intercept;

import java.util.concurrent.Semaphore;

/**
 * The workers of one command: at most a few at a time, so that a file or a terminal that hangs holds up only the command that
 * it belongs to. Virtual threads call {@link #run} and wait for a turn; a worker must not.
 */
final class CommandWorkers {
    private static final int MAX_AT_A_TIME = 4;

    private final ExecWorkers workers;
    private final Semaphore turns = new Semaphore(MAX_AT_A_TIME);

    CommandWorkers(ExecWorkers workers) {
        this.workers = workers;
    }

    /** Waits for a turn. The caller starts a worker or gives the turn back. */
    void takeTurn() {
        turns.acquireUninterruptibly();
    }

    void giveBack() {
        turns.release();
    }

    /** Runs the task with a turn that was taken; false if the server has no worker left, then the turn is given back. */
    boolean runInTurn(Runnable task) {
        boolean accepted = workers.run(() -> {
            try {
                task.run();
            } finally {
                turns.release();
            }
        });
        if (!accepted) {
            turns.release();
        }
        return accepted;
    }

    /** Waits for a turn and runs the task; false if the server has no worker left. */
    boolean run(Runnable task) {
        takeTurn();
        return runInTurn(task);
    }
}
