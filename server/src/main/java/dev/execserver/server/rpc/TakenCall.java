package dev.execserver.server.rpc;

import dev.execserver.protocol.rpc.Request;
import dev.execserver.server.memory.AnswerMemory;

/**
 * A request that was taken and is to be carried out.
 *
 * @param request without its params
 * @param heldBytes what its message holds
 * @param ended runs when it holds nothing of the gate any more
 */
record TakenCall(
        Connection connection,
        Request request,
        Method.Prepared prepared,
        AnswerMemory memory,
        long heldBytes,
        Runnable ended) {

    Method.Work work() {
        return prepared.work();
    }
}
