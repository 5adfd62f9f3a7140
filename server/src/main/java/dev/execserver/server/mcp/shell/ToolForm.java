package dev.execserver.server.mcp.shell;

import dev.execserver.protocol.rpc.JsonSlice;
import dev.execserver.protocol.rpc.JsonWritable;
import dev.execserver.protocol.rpc.RpcException;
import dev.execserver.server.config.McpForm;
import dev.execserver.server.exec.DenialForm;
import dev.execserver.server.memory.MemoryBudget;

/** Form of what clients get: tools, results, refusals, questions. Immutable. */
interface ToolForm {

    static ToolForm of(McpForm form) {
        return form.original() ? new OriginalForm() : new OwnForm();
    }

    /** Returns the result of {@code tools/list}. */
    JsonSlice tools();

    /** Returns true if the tools beside {@code shell}, and commands in the background, are there. */
    boolean background();

    /** Returns what keeps the output of a command. */
    CommandOutput output(MemoryBudget memory);

    /**
     * Returns the result of a call whose command has ended.
     *
     * @throws RpcException where that is an error in this form
     */
    JsonWritable ended(ShellResult result);

    RpcException unknownTool(String name);

    /** Returns the refusal of a working directory that is no absolute path. */
    RpcException relativeWorkdir(String text);

    /** Returns the refusal of a start. */
    RpcException notStarted(RpcException why);

    /** Returns the refusal of a sandbox policy. */
    RpcException unreadableSandbox(JsonSlice params, RpcException why);

    /** Returns true if a question has the rule's reason, and an answer the user's and its validity. */
    boolean reasons();

    DenialForm denials();
}
