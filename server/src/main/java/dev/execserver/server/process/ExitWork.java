package dev.execserver.server.process;

import dev.execserver.protocol.process.ExitDetails;
import dev.execserver.protocol.process.ResourceUsage;
import dev.execserver.protocol.process.SandboxViolation;
import dev.execserver.sandbox.limits.CommandLimits;
import dev.execserver.sandbox.outcome.LinkViolation;
import dev.execserver.sandbox.paths.LinuxPath;
import dev.execserver.sandbox.plan.SandboxRun;
import dev.execserver.sandbox.spawn.ExitStatus;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Work between the exit of a process and its report: removes the files and limits that were made for it, because a
 * client that hears of the exit may look at the files, and collects the details of the report. The exit watcher calls;
 * files are touched on file workers.
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

    /** Does the work. Errors are logged. */
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
        return new ExitDetails(Optional.empty(), violations, limits.map(_ -> usage(exit, wallNanos)), Optional.empty());
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

    /** Releases resources that nothing waits for. Called after the exit was reported. */
    void release() {
        sandbox.ifPresent(run -> services.files().release(run::close));
    }

    /**
     * Returns true if the kernel has killed part of the process because it was out of memory. Valid after
     * {@link #finish}.
     */
    boolean outOfMemory() {
        return outOfMemory;
    }

    /**
     * Returns the usage that the control group has counted. The kernel's figures of the process itself help less: its
     * ru_maxrss begins with that of this JVM, from which it was spawned, and bubblewrap waits for none of the processes
     * inside. Only the processor time of a process without a sandbox is used.
     */
    private ResourceUsage usage(ExitStatus exit, long wallNanos) {
        return new ResourceUsage(cpuMs(exit), peakMemoryBytes, TimeUnit.NANOSECONDS.toMillis(wallNanos));
    }

    /** Returns the processor time of everything that the process has started, if it is known. Valid after {@link #finish}. */
    OptionalLong cpuMs(ExitStatus exit) {
        OptionalLong cpu = cpuMicros.isPresent() || sandbox.isPresent()
                ? cpuMicros
                : OptionalLong.of(exit.userMicros() + exit.systemMicros());
        return cpu.isPresent()
                ? OptionalLong.of(TimeUnit.MICROSECONDS.toMillis(cpu.getAsLong()))
                : OptionalLong.empty();
    }

    private static SandboxViolation told(LinkViolation violation) {
        return new SandboxViolation(
                SandboxViolation.PROTECTED_LINK,
                violation.link().toString(),
                violation.found(),
                violation.obstacle().isEmpty(),
                violation.movedTo().map(LinuxPath::toString));
    }
}
