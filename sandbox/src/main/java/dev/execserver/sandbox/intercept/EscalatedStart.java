package dev.execserver.sandbox.intercept;

import dev.execserver.sandbox.linux.SpawnCalls;
import dev.execserver.sandbox.spawn.AttachedChild;
import dev.execserver.sandbox.spawn.Spawner;

/** Starts an escalated program: outside of every sandbox, or in the sandbox that is the operator's floor. */
@FunctionalInterface
public interface EscalatedStart {
    /**
     * Starts the program and waits until it runs.
     *
     * @param plan its program is a stage that takes over limits, umask and the like, and then becomes the program itself
     * @param newestFd a descriptor number that was the lowest free one a moment ago
     * @throws dev.execserver.sandbox.linux.LinuxException if it cannot be started
     */
    AttachedChild start(SpawnCalls.Plan plan, int newestFd);

    /** Returns the start outside of every sandbox. */
    static EscalatedStart unconfined(Spawner spawner) {
        return spawner::spawnPlan;
    }
}
