package dev.execserver.server.session;

import dev.execserver.protocol.rpc.RpcException;
import java.util.Map;

/** Failures of requests that did not reach the client, unlike an error that it has answered with. Stateless. */
public final class Unasked {
    private static final String REASON = "reason";
    private static final String NOT_ASKED = "notAsked";

    private Unasked() {}

    public static RpcException because(String why) {
        return RpcException.internal(why).withData(REASON, NOT_ASKED);
    }

    static boolean is(RpcException failure) {
        return failure.data()
                .map(data -> data.members().equals(Map.of(REASON, NOT_ASKED)))
                .orElse(false);
    }
}
