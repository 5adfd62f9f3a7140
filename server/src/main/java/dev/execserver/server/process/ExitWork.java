package dev.execserver.server.process;

import dev.execserver.protocol.process.ExitDetails;
import dev.execserver.protocol.process.ResourceUsage;
import dev.execserver.protocol.process.SandboxViolation;
import dev.execserver.sandbox.bwrap.LinkGuard;
import dev.execserver.sandbox.limits.CommandLimits;
import dev.execserver.sandbox.plan.SandboxRun;
import dev.execserver.sandbox.resolve.LinuxPath;
import dev.execserver.sandbox.spawn.ExitStatus;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What there is to do between the exit of a process and the moment in which it is told: to take away what was made for it,
 * because whoever hears of the exit may look at the files, and to find out what is told. The exit watcher calls; files are
 * touched on file workers.
 */
final class ExitWork {

    private static final Logger LOG = LoggerFactory.getLogger(ExitWork.class);

    private final ProcessServices services;
    private final String processId;
    private final Optional<SandboxRun> sandbox;
    private final Optional<CommandLimits> limits;
    private final long startedNanos = System.nanoTime();
    private List<SandboxViolation> violations = List.of();
    private OptionalLong peakMemoryBytes = OptionalLong.empty();
    private OptionalLong cpuMicros = OptionalLong.empty();
    private boolean outOfMemory;

    ExitWork(ProcessServices services, String processId, Optional<SandboxRun> sandbox, Optional<CommandLimits> limits) {
        this.services = services;
        this.processId = processId;
        this.sandbox = sandbox;
        this.limits = limits;
    }

    /** Does it; what goes wrong is logged. */
    ExitDetails finish(ExitStatus exit) {
        long wallNanos = System.nanoTime() - startedNanos;
        if (sandbox.isPresent() || limits.isPresent()) {
            try {
                sandbox.ifPresent(SandboxRun::awaitGone);
                services.files().call(() -> {
                    cleanUp();
                    return true;
                });
            } catch (RuntimeException e) {
                LOG.warn("cleaning up after process {}: {}", processId, e.toString());
            }
        }
        return new ExitDetails(Optional.empty(), violations, limits.map(_ -> usage(exit, wallNanos)));
    }

    private void cleanUp() {
        sandbox.ifPresent(run -> {
            violations = run.restoreLinks().stream().map(ExitWork::told).toList();
            run.clear();
        });
        limits.ifPresent(made -> {
            peakMemoryBytes = made.peakMemoryBytes();
            cpuMicros = made.cpuMicros();
            outOfMemory = made.outOfMemory();
            made.close();
        });
    }

    /** Lets go of what is open for it, which nobody waits for: after the exit was told. */
    void release() {
        sandbox.ifPresent(run -> services.files().release(run::close));
    }

    /** Whether the kernel has ended some of it for want of memory; after {@link #finish}. */
    boolean outOfMemory() {
        return outOfMemory;
    }

    /**
     * As the control group counts. Of what the kernel says of the process itself, ru_maxrss begins with that of this JVM, out
     * of which it was made, and bubblewrap waits for nothing that runs inside; the processor time of others is good.
     */
    private ResourceUsage usage(ExitStatus exit, long wallNanos) {
        OptionalLong cpu = cpuMicros.isPresent() || sandbox.isPresent()
                ? cpuMicros
                : OptionalLong.of(exit.userMicros() + exit.systemMicros());
        return new ResourceUsage(
                cpu.isPresent()
                        ? OptionalLong.of(TimeUnit.MICROSECONDS.toMillis(cpu.getAsLong()))
                        : OptionalLong.empty(),
                peakMemoryBytes,
                TimeUnit.NANOSECONDS.toMillis(wallNanos));
    }

    private static SandboxViolation told(LinkGuard.Violation violation) {
        return new SandboxViolation(
                SandboxViolation.PROTECTED_LINK,
                violation.link().toString(),
                violation.found(),
                violation.obstacle().isEmpty(),
                violation.movedTo().map(LinuxPath::toString));
    }
}
