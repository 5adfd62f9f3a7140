package dev.execserver.server.mcp;

import dev.execserver.protocol.rpc.JsonSlice;
import dev.execserver.protocol.rpc.JsonWritable;

/** The tools of one client, and what they have started. */
public interface Toolbox extends AutoCloseable {

    /** Returns the result of {@code tools/list}. */
    JsonSlice list();

    /**
     * Calls a tool on the thread of the request.
     *
     * @return the result of {@code tools/call}
     * @throws dev.execserver.protocol.rpc.RpcException if there is no such tool or it cannot be called like that
     */
    JsonWritable call(String tool, JsonSlice arguments, OpenCall call) throws InterruptedException;

    /**
     * Takes the params of {@code codex/sandbox-state/update}. Never waits.
     *
     * @throws dev.execserver.protocol.rpc.RpcException if they cannot be read
     */
    void updateSandbox(JsonSlice params);

    /** Called when the client has said that its workspace folders are others now, and at the beginning. Never waits. */
    void rootsChanged();

    /** Ends everything that the tools have started. Returns when it has ended. */
    @Override
    void close();
}
