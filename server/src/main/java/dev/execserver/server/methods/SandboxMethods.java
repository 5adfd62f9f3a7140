package dev.execserver.server.methods;

import dev.execserver.protocol.environment.EnvironmentMethodNames;
import dev.execserver.server.exec.ExecInterceptions;
import dev.execserver.server.rpc.Answer;
import dev.execserver.server.rpc.FloorRule;
import dev.execserver.server.rpc.Method;
import dev.execserver.server.rpc.MethodFamily;
import dev.execserver.server.sandbox.Sandboxes;
import java.util.List;

/**
 * {@code sandbox/status}: reports the sandbox features of the machine. Waits for the checks at the start of the server.
 */
public final class SandboxMethods {
    private final Sandboxes sandboxes;
    private final ExecInterceptions execs;

    /** @param execs tells if programs can be intercepted */
    public SandboxMethods(Sandboxes sandboxes, ExecInterceptions execs) {
        this.sandboxes = sandboxes;
        this.execs = execs;
    }

    public List<Method<?>> methods() {
        return List.of(Method.ordinary(
                        EnvironmentMethodNames.SANDBOX_STATUS,
                        MethodFamily.ENVIRONMENT_STATUS,
                        FloorRule.TELL,
                        (params, dialect) -> params,
                        (call, params) -> () -> Answer.of(sandboxes.status(execs.finding())))
                .asAdditive());
    }
}
