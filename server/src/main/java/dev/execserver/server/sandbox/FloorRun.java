package dev.execserver.server.sandbox;

import dev.execserver.sandbox.intercept.EscalatedRun;
import dev.execserver.sandbox.plan.AttachedSandbox;
import dev.execserver.sandbox.spawn.ExitStatus;
import java.time.Duration;
import java.util.Optional;

/** A program that has left its sandbox and runs in that of the floor. */
record FloorRun(AttachedSandbox running) implements EscalatedRun {
    @Override
    public Optional<ExitStatus> awaitExit(Duration limit) throws InterruptedException {
        return running.awaitStatus(limit);
    }

    @Override
    public void signal(int number) {
        boolean _ = running.signal(number); // false: it has ended
    }

    @Override
    public void kill() {
        running.kill();
    }

    @Override
    public void close() {
        int _ = running.awaitExitCode(); // known; waits for what is left of it
        running.close();
    }
}
