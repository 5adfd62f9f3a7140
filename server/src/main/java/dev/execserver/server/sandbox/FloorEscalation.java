package dev.execserver.server.sandbox;

import dev.execserver.protocol.rpc.RpcException;
import dev.execserver.sandbox.intercept.EscalatedRun;
import dev.execserver.sandbox.intercept.EscalatedStart;
import dev.execserver.sandbox.intercept.EscalationRefusedException;
import dev.execserver.sandbox.outcome.FilesChangedException;
import dev.execserver.sandbox.outcome.SetupResult;
import dev.execserver.sandbox.paths.PolicyRefusedException;
import dev.execserver.sandbox.plan.AttachedSandbox;
import dev.execserver.sandbox.plan.SandboxRefusedException;
import dev.execserver.sandbox.spawn.SpawnRequest;
import dev.execserver.sandbox.spawn.Spawner;
import dev.execserver.server.rights.Caller;
import dev.execserver.server.rights.Rights;
import java.util.Optional;

/** Starts programs that leave their sandbox in the sandbox that is the floor of their client. Immutable; workers call it. */
public final class FloorEscalation implements EscalatedStart {
    private final Sandboxes sandboxes;
    private final Rights caller;

    private FloorEscalation(Sandboxes sandboxes, Rights caller) {
        this.sandboxes = sandboxes;
        this.caller = caller;
    }

    /**
     * Returns the start of programs of the client of this thread that leave their sandbox; empty if the operator lets none do
     * so.
     */
    public static Optional<EscalatedStart> of(Sandboxes sandboxes, Spawner spawner) {
        OperatorFloor floor = sandboxes.floor();
        if (floor.none()) {
            return Optional.of(EscalatedStart.unconfined(spawner));
        }
        return floor.context()
                .map(_ -> new FloorEscalation(sandboxes, Caller.current().orElse(Rights.ALL)));
    }

    @Override
    public EscalatedRun start(SpawnRequest stage, byte[] directory) {
        try {
            return Caller.call(caller, () -> attempt(stage, directory));
        } catch (FilesChangedException e) {
            throw EscalationRefusedException.disturbed(e.getMessage());
        } catch (PolicyRefusedException | SandboxRefusedException | RpcException e) {
            throw new EscalationRefusedException(e.getMessage());
        }
    }

    private EscalatedRun attempt(SpawnRequest stage, byte[] directory) {
        AttachedSandbox running = sandboxes
                .launcher()
                .startAttached(sandboxes.prepareFloor(directory).plan(), stage);
        return switch (running.awaitSetup()) {
            case SetupResult.Yes(), SetupResult.Cancelled() -> new FloorRun(running);
            case SetupResult.Failed(String message) -> {
                end(running);
                throw new EscalationRefusedException(message);
            }
            case SetupResult.Disturbed(String message) -> {
                end(running);
                throw EscalationRefusedException.disturbed(message);
            }
        };
    }

    private static void end(AttachedSandbox running) {
        running.kill();
        int _ = running.awaitExitCode();
        running.close();
    }
}
