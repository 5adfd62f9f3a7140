package dev.execserver.server.process;

import dev.execserver.protocol.process.ResourceUsage;
import dev.execserver.protocol.process.SandboxViolation;
import dev.execserver.sandbox.bwrap.LinkGuard;
import dev.execserver.sandbox.resolve.LinuxPath;
import dev.execserver.sandbox.spawn.ExitStatus;
import java.util.concurrent.TimeUnit;

/** What is known of an exit, in the words of the protocol. Stateless. */
final class ExitReport {

    private ExitReport() {}

    /** @param sinceNanos when it was started, by {@link System#nanoTime} */
    static ResourceUsage usage(ExitStatus exit, long sinceNanos) {
        return new ResourceUsage(
                TimeUnit.MICROSECONDS.toMillis(exit.userMicros() + exit.systemMicros()),
                exit.maxRssKib() * 1024,
                TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - sinceNanos));
    }

    static SandboxViolation violation(LinkGuard.Violation violation) {
        return new SandboxViolation(
                SandboxViolation.PROTECTED_LINK,
                violation.link().toString(),
                violation.found(),
                violation.obstacle().isEmpty(),
                violation.movedTo().map(LinuxPath::toString));
    }
}
