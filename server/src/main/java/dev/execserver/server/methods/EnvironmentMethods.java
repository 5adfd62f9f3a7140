package dev.execserver.server.methods;

import dev.execserver.protocol.environment.EnvironmentInfo;
import dev.execserver.protocol.environment.EnvironmentMethodNames;
import dev.execserver.protocol.environment.EnvironmentStatus;
import dev.execserver.server.rpc.Answer;
import dev.execserver.server.rpc.Family;
import dev.execserver.server.rpc.Method;
import java.util.List;

/** {@code environment/info} and {@code environment/status}. */
public final class EnvironmentMethods {

    private final EnvironmentInfo info;

    public EnvironmentMethods(EnvironmentInfo info) {
        this.info = info;
    }

    public List<Method<?>> methods() {
        return List.of(
                Method.control(
                        EnvironmentMethodNames.INFO,
                        Family.ENVIRONMENT_INFO,
                        (params, dialect) -> params,
                        (call, params) -> () -> Answer.of(info)),
                Method.control(
                        EnvironmentMethodNames.STATUS,
                        Family.ENVIRONMENT_STATUS,
                        (params, dialect) -> params,
                        (call, params) -> () -> Answer.of(EnvironmentStatus.READY)));
    }
}
