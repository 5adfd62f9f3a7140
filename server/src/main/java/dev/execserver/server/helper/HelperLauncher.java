package dev.execserver.server.helper;

import dev.execserver.helper.fs.ProtectedPlaces;
import dev.execserver.helper.fs.ProtectedPlaces.Place;
import dev.execserver.protocol.rpc.RpcException;
import dev.execserver.sandbox.linux.LinuxException;
import dev.execserver.sandbox.outcome.FilesChangedException;
import dev.execserver.sandbox.outcome.FoundFiles;
import dev.execserver.sandbox.outcome.SetupResult;
import dev.execserver.sandbox.paths.PolicyRefusedException;
import dev.execserver.sandbox.plan.SandboxRefusedException;
import dev.execserver.sandbox.plan.SandboxRun;
import dev.execserver.sandbox.spawn.SpawnRequest;
import dev.execserver.sandbox.spawn.Stdio;
import dev.execserver.server.memory.DescriptorBudget;
import dev.execserver.server.sandbox.Sandboxes.Prepared;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/** Starts helpers. Request threads call and park; file workers touch files. */
final class HelperLauncher {

    static final List<String> ENVIRONMENT = List.of("PATH=/usr/local/bin:/usr/bin:/bin", "LC_ALL=C.UTF-8");

    /** Descriptors of a helper: those of a sandboxed start. */
    private static final int FOR_HELPER = 24;

    private final HelperServices services;
    private final HelperRuntime runtime;

    private final Consumer<Runnable> ends;

    /** @param ends runs the end of a helper on another thread */
    HelperLauncher(HelperServices services, HelperRuntime runtime, Consumer<Runnable> ends) {
        this.services = services;
        this.runtime = runtime;
        this.ends = ends;
    }

    /**
     * Starts a helper. Returns when its sandbox is set up, before it can answer.
     *
     * @throws RpcException -32600 if the sandbox cannot be built, -32603 if few descriptors are left
     * @throws FilesChangedException if the policy must be resolved again
     */
    HelperProcess start(Prepared view) {
        try (DescriptorBudget.Promise _ = services.descriptors().admit("file helper", FOR_HELPER)) {
            return launch(view);
        }
    }

    private HelperProcess launch(Prepared view) {
        for (int attempt = 1; ; attempt++) {
            SandboxRun run = start(view, request(view));
            StartedHelper started = new StartedHelper(run.child(), () -> ends.accept(() -> end(run)));
            switch (setUp(run, started)) {
                case SetupResult.Yes(), SetupResult.Cancelled() -> {
                    return HelperProcess.of(started, services.buffers());
                }
                case SetupResult.Failed(String message) -> {
                    started.end();
                    services.files().call(() -> {
                        FoundFiles.requireUnchanged(view.policy());
                        return true;
                    });
                    throw HelperRuntime.refused(message);
                }
                case SetupResult.Disturbed(String message) -> {
                    started.end();
                    if (attempt == SetupResult.Disturbed.ATTEMPTS) {
                        throw HelperRuntime.refused(message);
                    }
                }
            }
        }
    }

    private SetupResult setUp(SandboxRun run, StartedHelper started) {
        try {
            return run.awaitSetup(() -> false, check -> services.files().call(check::get));
        } catch (RuntimeException e) {
            started.end();
            throw e;
        }
    }

    /** Returns the request of one attempt. The end of the attempt before may still be killing all that has its mark. */
    private SpawnRequest request(Prepared view) {
        return new SpawnRequest(
                runtime.program(),
                runtime.argv(),
                runtime.environment(environment(view)),
                "/",
                new Stdio.Channel(),
                services.marks().next());
    }

    private SandboxRun start(Prepared view, SpawnRequest request) {
        try {
            return services.files().call(() -> services.sandboxes().launcher().start(view.plan(), request));
        } catch (PolicyRefusedException | SandboxRefusedException | LinuxException e) {
            throw HelperRuntime.refused(e.getMessage());
        }
    }

    /**
     * Returns the variables, with the places of the view: the helper refuses some of them itself, the others explain
     * its errors.
     */
    private static List<String> environment(Prepared view) {
        List<String> variables = new ArrayList<>(ENVIRONMENT);
        for (Place place : HelperPlaces.of(view.policy(), view.refused())) {
            variables.add(ProtectedPlaces.VARIABLE + "%04d=".formatted(variables.size()) + place.value());
        }
        return variables;
    }

    private void end(SandboxRun run) {
        boolean _ = services.tree().kill(run.child()); // false: it hangs in the kernel and dies when the kernel lets it
        run.child().awaitExit();
        services.files().release(() -> {
            var _ = run.restoreLinks(); // changes were logged
            run.close();
        });
    }
}
