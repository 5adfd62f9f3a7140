package dev.execserver.server.mcp.shell;

import dev.execserver.protocol.rpc.ErrorData;
import dev.execserver.protocol.rpc.JsonSlice;
import dev.execserver.protocol.rpc.JsonWritable;
import dev.execserver.protocol.rpc.MessageBuffer;
import dev.execserver.protocol.rpc.ParamsReader;
import dev.execserver.protocol.rpc.RpcException;
import dev.execserver.sandbox.linux.Errno;
import dev.execserver.server.exec.DenialForm;
import dev.execserver.server.memory.MemoryBudget;
import java.nio.charset.StandardCharsets;

/** The form of version 0.97 of the original server: one tool, four members in a result, and errors where a command was ended. */
final class OriginalForm implements ToolForm {
    private static final String FAILED = "sandbox error: ";
    private static final int ENOENT = 2;

    @Override
    public JsonSlice tools() {
        return ToolList.ORIGINAL;
    }

    @Override
    public boolean background() {
        return false;
    }

    @Override
    public CommandOutput output(MemoryBudget memory) {
        return CommandOutput.successive(memory);
    }

    @Override
    public JsonWritable ended(ShellResult result) {
        if (result.timedOut()) {
            throw RpcException.internal(FAILED + "command timed out");
        }
        if (result.signaled()) {
            throw RpcException.internal(FAILED + "command was killed by a signal");
        }
        MessageBuffer inner = new MessageBuffer();
        inner.ascii("{\"exit_code\":");
        inner.number(result.exitCode());
        inner.ascii(",\"output\":");
        inner.string(result.output());
        result.writeDuration(inner);
        inner.ascii(",\"timed_out\":false}");
        String text = new String(inner.array(), inner.offset(), inner.length(), StandardCharsets.UTF_8);
        return g -> {
            g.writeStartObject();
            g.writeArrayFieldStart("content");
            g.writeStartObject();
            g.writeStringField("type", "text");
            g.writeStringField("text", text);
            g.writeEndObject();
            g.writeEndArray();
            g.writeBooleanField("isError", false);
            g.writeEndObject();
        };
    }

    @Override
    public RpcException unknownTool(String name) {
        return RpcException.invalidParams("tool not found");
    }

    @Override
    public RpcException relativeWorkdir(String text) {
        return systemError(ENOENT);
    }

    @Override
    public RpcException notStarted(RpcException why) {
        Object errno = why.data().map(data -> data.members().get("errno")).orElse(null);
        return errno instanceof Long number ? systemError(number.intValue()) : why;
    }

    private static RpcException systemError(int errno) {
        return RpcException.internal(Errno.text(errno));
    }

    @Override
    public RpcException unreadableSandbox(JsonSlice params, RpcException why) {
        RpcException refusal = RpcException.invalidParams("failed to deserialize sandbox state");
        if (!params.toString().startsWith("{")) {
            return refusal;
        }
        ErrorData data = ErrorData.empty();
        ParamsReader in = ParamsReader.of(params, "SandboxState");
        while (in.next()) {
            data = data.with(in.name(), in.slice());
        }
        return refusal.withData(data);
    }

    @Override
    public boolean reasons() {
        return false;
    }

    @Override
    public DenialForm denials() {
        return DenialForm.ORIGINAL;
    }
}
