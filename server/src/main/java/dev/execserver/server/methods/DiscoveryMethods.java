package dev.execserver.server.methods;

import dev.execserver.protocol.environment.EnvironmentMethodNames;
import dev.execserver.server.rpc.Answer;
import dev.execserver.server.rpc.FloorRule;
import dev.execserver.server.rpc.Method;
import dev.execserver.server.rpc.MethodFamily;
import dev.execserver.server.schema.SchemaDialect;
import dev.execserver.server.schema.SchemaDocuments;
import dev.execserver.server.schema.SchemaFormat;
import java.util.List;

/** {@code rpc.discover}: describes the methods as OpenRPC, under the name that OpenRPC gives to this method. Stateless. */
public final class DiscoveryMethods {

    private DiscoveryMethods() {}

    public static List<Method<?>> methods() {
        return List.of(Method.ordinary(
                        EnvironmentMethodNames.DISCOVER,
                        MethodFamily.ENVIRONMENT_INFO,
                        FloorRule.TELL,
                        (params, dialect) -> params,
                        (call, params) ->
                                () -> Answer.of(SchemaDocuments.onOneLine(SchemaDialect.EXEC, SchemaFormat.OPENRPC)))
                .asAdditive());
    }
}
