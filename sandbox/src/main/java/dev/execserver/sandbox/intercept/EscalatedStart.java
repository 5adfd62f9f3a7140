package dev.execserver.sandbox.intercept;

import dev.execserver.sandbox.spawn.SpawnRequest;
import dev.execserver.sandbox.spawn.Spawner;

/** Starts an escalated program: outside of every sandbox, or in the sandbox that is the operator's floor. */
@FunctionalInterface
public interface EscalatedStart {
    /**
     * Starts the program and waits until it runs.
     *
     * @param stage a program that takes over limits, umask and the like, and then becomes the escalated one itself
     * @param directory working directory of the task, as this server sees it
     * @throws dev.execserver.sandbox.linux.LinuxException if it cannot be started
     * @throws EscalationRefusedException if it must not be started
     */
    EscalatedRun start(SpawnRequest stage, byte[] directory);

    /** Returns the start outside of every sandbox. */
    static EscalatedStart unconfined(Spawner spawner) {
        return (stage, _) -> EscalatedRun.of(spawner.spawnAttached(stage));
    }
}
