package dev.execserver.server.sandbox;

import dev.execserver.protocol.paths.PathUri;
import dev.execserver.protocol.permissions.SandboxContext;
import dev.execserver.sandbox.bwrap.BwrapFinder;
import dev.execserver.sandbox.bwrap.BwrapLauncher;
import dev.execserver.sandbox.bwrap.Placeholders;
import dev.execserver.sandbox.linux.FileCalls;
import dev.execserver.sandbox.plan.LaunchPlan;
import dev.execserver.sandbox.plan.LaunchPlanner;
import dev.execserver.sandbox.plan.PlanOptions;
import dev.execserver.sandbox.plan.SandboxLauncher;
import dev.execserver.sandbox.plan.VisibleProgram;
import dev.execserver.sandbox.probe.Doctor;
import dev.execserver.sandbox.probe.HostCapabilities;
import dev.execserver.sandbox.probe.HostFacts;
import dev.execserver.sandbox.resolve.KernelFileView;
import dev.execserver.sandbox.resolve.LinuxPath;
import dev.execserver.sandbox.resolve.PolicyDirectories;
import dev.execserver.sandbox.resolve.PolicyResolver;
import dev.execserver.sandbox.resolve.ResolvedPolicy;
import dev.execserver.sandbox.resolve.SpawnerCommandRunner;
import dev.execserver.sandbox.spawn.BoundedRun;
import dev.execserver.sandbox.spawn.Poller;
import dev.execserver.sandbox.spawn.ProcessMarks;
import dev.execserver.sandbox.spawn.ProcessTree;
import dev.execserver.sandbox.spawn.Spawner;
import dev.execserver.server.concurrent.Threads;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Makes plans for sandboxed requests. The machine is examined once, beside the start of the server; whoever needs the result
 * earlier waits for it. Any thread.
 */
public final class Sandboxes implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Sandboxes.class);

    private final SandboxSettings settings;
    private final PolicyResolver resolver;
    private final Placeholders placeholders;
    private final SandboxLauncher launcher;
    private final CompletableFuture<HostCapabilities> capabilities = new CompletableFuture<>();

    /** What starts programs. */
    public record Means(Spawner spawner, Poller poller, ProcessMarks marks, ProcessTree tree) {}

    /** @param runtimeDirectory of this server, new and empty */
    public Sandboxes(Means means, Path runtimeDirectory, String searchPath, SandboxSettings settings) {
        this.settings = settings;
        List<LinuxPath> hidden = new ArrayList<>(settings.secrets());
        hidden.add(LinuxPath.of(runtimeDirectory.toAbsolutePath().toString()));
        resolver = new PolicyResolver(new KernelFileView(), ripgrep(means.spawner(), searchPath), hidden);
        placeholders = Placeholders.open(runtimeDirectory.toAbsolutePath());
        launcher = new SandboxLauncher(
                means.spawner(),
                new BwrapLauncher(means.spawner(), means.poller(), placeholders, runtimeDirectory.toAbsolutePath()));
        BoundedRun runs = new BoundedRun(means.spawner(), means.marks(), means.tree());
        Threads.daemon("doctor", () -> examine(runs, searchPath));
    }

    private void examine(BoundedRun runs, String searchPath) {
        try {
            HostCapabilities found = doctor(runs, searchPath, settings).examine();
            found.warnings().forEach(LOG::warn);
            capabilities.complete(found);
        } catch (RuntimeException | Error e) {
            LOG.error("this machine could not be examined; sandboxed requests will be refused", e);
            capabilities.completeExceptionally(e);
        }
    }

    /** The examination for these settings. */
    public static Doctor doctor(BoundedRun runs, String searchPath, SandboxSettings settings) {
        BwrapFinder.Places places = new BwrapFinder.Places(
                settings.bubblewrap(),
                searchPath,
                LinuxPath.of(Path.of("").toAbsolutePath().toString()),
                bundled());
        return new Doctor(runs, places, HostFacts.ofThisMachine(), settings.mountProc());
    }

    /** {@code lib/bwrap} beside the jar of a distribution. */
    private static Optional<Path> bundled() {
        try {
            Path code = Path.of(Sandboxes.class
                    .getProtectionDomain()
                    .getCodeSource()
                    .getLocation()
                    .toURI());
            return Optional.of(code.resolveSibling("lib").resolve("bwrap"));
        } catch (URISyntaxException e) {
            return Optional.empty();
        }
    }

    private static Optional<PolicyResolver.Ripgrep> ripgrep(Spawner spawner, String searchPath) {
        for (String element : searchPath.split(":", -1)) {
            String candidate = element + "/rg";
            if (element.startsWith("/") && FileCalls.executable(candidate.getBytes(StandardCharsets.UTF_8)) == 0) {
                return Optional.of(
                        new PolicyResolver.Ripgrep(LinuxPath.of(candidate), new SpawnerCommandRunner(spawner)));
            }
        }
        return Optional.empty();
    }

    /** Waits for the examination. */
    public HostCapabilities capabilities() {
        return capabilities.join();
    }

    public SandboxLauncher launcher() {
        return launcher;
    }

    /**
     * A plan together with what it was made from.
     *
     * @param directory working directory, canonical
     */
    public record Prepared(LaunchPlan plan, ResolvedPolicy policy, LinuxPath directory) {}

    /**
     * Resolves and plans; on a file worker, after {@link #capabilities()}.
     *
     * @param requestCwd of the command, which exists
     * @param environment of the command
     */
    public Prepared prepare(SandboxContext context, PathUri requestCwd, Map<String, String> environment) {
        ResolvedPolicy policy = resolver.resolve(
                context.permissions(), PolicyDirectories.of(context, Optional.of(requestCwd), environment));
        LinuxPath directory = VisibleProgram.directory(requestCwd.bytes());
        LaunchPlanner planner =
                new LaunchPlanner(capabilities(), new PlanOptions(settings.isolatePids(), settings.forceLandlock()));
        return new Prepared(planner.plan(policy, directory, context.useLegacyLandlock()), policy, directory);
    }

    /** Takes away what is left on the host. */
    @Override
    public void close() {
        placeholders.close();
    }
}
