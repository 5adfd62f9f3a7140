package dev.execserver.server.cli;

import dev.execserver.sandbox.plan.AttachedSandbox;
import java.time.Duration;

/**
 * What SIGINT, SIGTERM and SIGHUP do to this program while a command runs in a sandbox: the command gets SIGTERM and time for
 * its own handler, then it is killed, and its exit status becomes ours. A shutdown hook, since {@code sun.misc.Signal} is not
 * supported; it cannot tell which signal it was. An ordinary end runs the hook too, which then finds nothing to do.
 */
final class SignalPass {
    private static final Duration PATIENCE = Duration.ofSeconds(5);
    private static final int SIGTERM = 15;

    private SignalPass() {}

    static void arm(AttachedSandbox running) {
        Runtime.getRuntime()
                .addShutdownHook(Thread.ofPlatform().name("sandbox-signal").unstarted(() -> pass(running)));
    }

    private static void pass(AttachedSandbox running) {
        if (running.exited()) {
            return;
        }
        boolean _ = running.signal(SIGTERM); // false: it ended in this moment
        if (!running.awaitExit(PATIENCE)) {
            running.kill();
        }
        int code = running.awaitExitCode();
        running.close();
        Runtime.getRuntime().halt(code);
    }
}
