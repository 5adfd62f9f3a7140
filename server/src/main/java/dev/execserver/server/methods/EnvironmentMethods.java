package dev.execserver.server.methods;

import dev.execserver.protocol.environment.ConfigReadParams;
import dev.execserver.protocol.environment.ConfigReadResult;
import dev.execserver.protocol.environment.EnvironmentInfo;
import dev.execserver.protocol.environment.EnvironmentMethodNames;
import dev.execserver.protocol.environment.EnvironmentStatus;
import dev.execserver.server.rpc.Answer;
import dev.execserver.server.rpc.FloorRule;
import dev.execserver.server.rpc.Method;
import dev.execserver.server.rpc.Method.SmallWork;
import dev.execserver.server.rpc.MethodFamily;
import java.util.List;
import java.util.function.Supplier;

/** {@code environment/info}, {@code environment/status} and {@code environmentConfig/read}. Immutable. */
public final class EnvironmentMethods {

    private final EnvironmentInfo info;
    private final ConfigReadResult noConfig;
    private final Supplier<List<String>> warnings;

    /**
     * Makes the methods of one server.
     *
     * @param noConfig the answer to {@code environmentConfig/read}; this server keeps no such configuration
     * @param warnings warnings for the operator; may wait
     */
    public EnvironmentMethods(EnvironmentInfo info, ConfigReadResult noConfig, Supplier<List<String>> warnings) {
        this.info = info;
        this.warnings = warnings;
        this.noConfig = noConfig;
    }

    public List<Method<?>> methods() {
        return List.of(
                Method.control(
                        EnvironmentMethodNames.INFO,
                        MethodFamily.ENVIRONMENT_INFO,
                        FloorRule.TELL,
                        (params, dialect) -> params,
                        (call, params) -> () -> Answer.of(info.withWarnings(warnings.get()))),
                Method.control(
                        EnvironmentMethodNames.STATUS,
                        MethodFamily.ENVIRONMENT_STATUS,
                        FloorRule.TELL,
                        (params, dialect) -> params,
                        (call, params) -> (SmallWork) () -> Answer.of(EnvironmentStatus.READY)),
                Method.ordinary(
                        EnvironmentMethodNames.CONFIG_READ,
                        MethodFamily.ENVIRONMENT_CONFIG,
                        FloorRule.TELL,
                        ConfigReadParams::read,
                        (call, params) -> (SmallWork) () -> Answer.of(noConfig)));
    }
}
