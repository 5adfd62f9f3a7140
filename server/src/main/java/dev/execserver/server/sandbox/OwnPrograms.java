package dev.execserver.server.sandbox;

import dev.execserver.cli.local.LocalFile;
import dev.execserver.sandbox.bwrap.BwrapCandidates;
import dev.execserver.sandbox.glob.Ripgrep;
import dev.execserver.sandbox.glob.SpawnerCommandRunner;
import dev.execserver.sandbox.paths.LinuxPath;
import dev.execserver.sandbox.pin.PinnedPrograms;
import dev.execserver.sandbox.pin.PinnedPrograms.Program;
import dev.execserver.sandbox.pin.ProgramPins;
import dev.execserver.sandbox.pin.SystemPlaces;
import dev.execserver.sandbox.spawn.Spawner;
import dev.execserver.sandbox.tree.BoundedRun;
import dev.execserver.server.concurrent.Threads;
import dev.execserver.server.environment.EnvironmentProbe;
import dev.execserver.server.environment.Installation;
import dev.execserver.server.sandbox.Sandboxes.SpawnResources;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;

/**
 * Programs that a server runs itself outside of sandboxes: bubblewrap, ripgrep and the shell that delays starts. Each
 * is found and pinned once, in parallel with the start of the server or at its first use. Any thread that may block.
 */
final class OwnPrograms implements AutoCloseable {
    private static final LinuxPath SHELL = LinuxPath.of("/bin/sh");

    private final ProgramPins pins;
    private final BwrapCandidates bubblewraps;
    private final Spawner spawner;
    private final FutureTask<Optional<Program>> ripgrep;
    private final FutureTask<Optional<Program>> shell;
    private volatile boolean begun;

    OwnPrograms(SpawnResources means, String searchPath, SandboxSettings settings) {
        spawner = means.spawner();
        pins = new ProgramPins(new BoundedRun(means.spawner(), means.marks(), means.tree()));
        SystemPlaces system = new SystemPlaces();
        PinnedPrograms programs = new PinnedPrograms(pins, system);
        bubblewraps = new BwrapCandidates(
                new BwrapCandidates.Places(
                        settings.bubblewrap(),
                        searchPath,
                        LinuxPath.of(EnvironmentProbe.uri(LocalFile.workingDirectory())
                                .bytes()),
                        Installation.beside("lib/bwrap")),
                pins,
                system);
        ripgrep = new FutureTask<>(() -> programs.onPath("rg", searchPath));
        shell = new FutureTask<>(() -> {
            Optional<Program> found = programs.at(SHELL, "sh");
            found.map(Program::launch).ifPresent(spawner::useShell);
            return found;
        });
    }

    /** Starts a thread that finds ripgrep and the shell, before any command of this server can have changed them. */
    void begin() {
        begun = true;
        Threads.daemon("program-pins", () -> {
            ripgrep.run();
            shell.run();
        });
    }

    /** Waits for the thread that {@link #begin} has started. Returns at once if there is none. */
    void await() {
        if (begun) {
            var _ = result(ripgrep);
            var _ = result(shell);
        }
    }

    BwrapCandidates bubblewraps() {
        return bubblewraps;
    }

    /** Returns the system's ripgrep for a search of at most this duration; empty if the server must search itself. */
    Optional<Ripgrep> ripgrep(Duration limit) {
        return result(ripgrep)
                .map(program -> new Ripgrep(
                        program.path(),
                        program.launch().pinned(),
                        new SpawnerCommandRunner(spawner, limit, program.launch())));
    }

    private static Optional<Program> result(FutureTask<Optional<Program>> task) {
        task.run(); // does nothing if it has run or runs
        try {
            return task.get();
        } catch (ExecutionException e) {
            throw new IllegalStateException("a program could not be looked up", e.getCause());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return Optional.empty();
        }
    }

    @Override
    public void close() {
        pins.close();
    }
}
