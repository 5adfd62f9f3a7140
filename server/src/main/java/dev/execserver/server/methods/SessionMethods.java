package dev.execserver.server.methods;

import dev.execserver.protocol.session.SessionMethodNames;
import dev.execserver.server.rpc.Answer;
import dev.execserver.server.rpc.FloorRule;
import dev.execserver.server.rpc.Method;
import dev.execserver.server.rpc.MethodFamily;
import java.util.List;

/**
 * The {@code session/*} methods, all of them additive. The handshake, which creates sessions, is not in the method
 * table.
 */
public final class SessionMethods {

    private SessionMethods() {}

    public static List<Method<?>> methods() {
        return List.of(Method.control(
                        SessionMethodNames.END,
                        MethodFamily.PROCESS,
                        FloorRule.OWN,
                        (params, dialect) -> params,
                        (call, params) -> () -> {
                            call.session().finish();
                            return Answer.empty();
                        })
                .asAdditive());
    }
}
