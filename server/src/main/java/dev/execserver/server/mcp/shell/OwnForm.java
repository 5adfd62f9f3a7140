package dev.execserver.server.mcp.shell;

import dev.execserver.protocol.rpc.JsonSlice;
import dev.execserver.protocol.rpc.JsonWritable;
import dev.execserver.protocol.rpc.RpcException;
import dev.execserver.server.exec.DenialForm;
import dev.execserver.server.memory.MemoryBudget;

/** The form of this server. */
final class OwnForm implements ToolForm {

    @Override
    public JsonSlice tools() {
        return ToolList.STANDARD;
    }

    @Override
    public boolean background() {
        return true;
    }

    @Override
    public CommandOutput output(MemoryBudget memory) {
        return CommandOutput.interleaved(memory);
    }

    @Override
    public JsonWritable ended(ShellResult result) {
        return ToolResult.of(result);
    }

    @Override
    public RpcException unknownTool(String name) {
        return RpcException.invalidParams("tool not found: " + name);
    }

    @Override
    public RpcException relativeWorkdir(String text) {
        return RpcException.invalidParams("workdir must be an absolute path, not `" + text + "`");
    }

    @Override
    public RpcException notStarted(RpcException why) {
        return why;
    }

    @Override
    public RpcException unreadableSandbox(JsonSlice params, RpcException why) {
        return RpcException.invalidParams("failed to deserialize sandbox state: " + why.message())
                .withData("params", params.toString());
    }

    @Override
    public boolean reasons() {
        return true;
    }

    @Override
    public DenialForm denials() {
        return DenialForm.FULL;
    }
}
