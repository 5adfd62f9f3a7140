package dev.execserver.server.rpc;

import dev.execserver.protocol.rpc.RpcException;
import java.util.List;

/** Puts warnings about params into an error, where they often name its cause. Stateless. */
final class Warnings {

    private static final String MEMBER = "warnings";

    private Warnings() {}

    static RpcException in(RpcException error, List<String> warnings) {
        return warnings.isEmpty() ? error : error.withData(MEMBER, String.join(". ", warnings));
    }
}
