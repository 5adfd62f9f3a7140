package dev.execserver.sandbox.intercept;

import dev.execserver.sandbox.linux.ProcessCalls;
import dev.execserver.sandbox.spawn.AttachedChild;
import dev.execserver.sandbox.spawn.ExitStatus;
import java.time.Duration;
import java.util.Optional;

/** An escalated program outside of every sandbox. */
record Unconfined(AttachedChild child) implements EscalatedRun {
    @Override
    public Optional<ExitStatus> awaitExit(Duration limit) throws InterruptedException {
        return child.awaitExit(limit);
    }

    @Override
    public void signal(int number) {
        boolean _ = child.signalGroup(number); // false: it has ended
    }

    @Override
    public void kill() {
        signal(ProcessCalls.SIGKILL);
    }

    @Override
    public void close() {}
}
