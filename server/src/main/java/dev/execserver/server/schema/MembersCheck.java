package dev.execserver.server.schema;

import dev.execserver.protocol.rpc.JsonSlice;
import java.util.List;

/** Check of the params of one method for members that its schema does not have. Thread-safe. */
@FunctionalInterface
public interface MembersCheck {

    MembersCheck NONE = _ -> List.of();

    /**
     * Returns warnings for the answer.
     *
     * @throws dev.execserver.protocol.rpc.RpcException -32602 if unknown members are refused
     */
    List<String> check(JsonSlice params);
}
