package dev.execserver.sandbox.intercept;

import dev.execserver.sandbox.spawn.AttachedChild;
import dev.execserver.sandbox.spawn.ExitStatus;
import java.time.Duration;
import java.util.Optional;

/** An escalated program that runs. One thread uses it and closes it after the end. */
public interface EscalatedRun extends AutoCloseable {
    /** Waits for the end; empty if the time was up. */
    Optional<ExitStatus> awaitExit(Duration limit) throws InterruptedException;

    /** Signals the program and its process group. Does nothing when it has ended. */
    void signal(int number);

    /** Kills the program with all that belongs to it. */
    void kill();

    /** Gives back what the run holds. Touches files. */
    @Override
    void close();

    /** Returns the run of a child that leads a group of its own. */
    static EscalatedRun of(AttachedChild child) {
        return new Unconfined(child);
    }
}
