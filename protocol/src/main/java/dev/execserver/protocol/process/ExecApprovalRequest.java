package dev.execserver.protocol.process;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.execserver.protocol.rpc.JsonFields;
import dev.execserver.protocol.rpc.JsonSlice;
import dev.execserver.protocol.rpc.JsonWritable;
import dev.execserver.protocol.rpc.ParamsReader;
import java.io.IOException;
import java.util.List;
import java.util.Optional;

/**
 * Params of the server's request {@code exec/approval}: a command wants to execute a program, and its rules say that the
 * client decides.
 *
 * @param execId number of the exec, unique in its process
 * @param matches the rules that match, the operator's and the client's
 * @param justification of the rule that asks
 * @param sandboxed true if the command has a sandbox; a program that may run, runs in it
 * @param approverId for another connection than that of the session: the right by which it is asked
 */
public record ExecApprovalRequest(
        String processId,
        long execId,
        ExecutedProgram executed,
        List<ExecRuleMatch> matches,
        Optional<String> justification,
        boolean sandboxed,
        Optional<String> approverId)
        implements JsonWritable {

    public ExecApprovalRequest {
        matches = List.copyOf(matches);
    }

    /** Makes a question to the client of the session. */
    public ExecApprovalRequest(
            String processId,
            long execId,
            ExecutedProgram executed,
            List<ExecRuleMatch> matches,
            Optional<String> justification,
            boolean sandboxed) {
        this(processId, execId, executed, matches, justification, sandboxed, Optional.empty());
    }

    /** Returns the same question for a connection that is asked by a right. */
    public ExecApprovalRequest forApprover(String id) {
        return new ExecApprovalRequest(processId, execId, executed, matches, justification, sandboxed, Optional.of(id));
    }

    /** Errors are those of {@link ParamsReader}. */
    public static ExecApprovalRequest read(JsonSlice params) {
        ParamsReader in = ParamsReader.of(params, "ExecApprovalParams");
        String processId = null;
        Long execId = null;
        ExecutedProgram.Reader executed = new ExecutedProgram.Reader();
        List<ExecRuleMatch> matches = List.of();
        Optional<String> justification = Optional.empty();
        boolean sandboxed = true;
        Optional<String> approverId = Optional.empty();
        while (in.next()) {
            switch (in.name()) {
                case "processId" -> processId = in.string();
                case "execId" -> execId = in.u64();
                case "matches" -> matches = in.structs("ExecRuleMatch", ExecRuleMatch::read);
                case "justification" -> justification = in.stringOrNull();
                case "sandboxed" -> sandboxed = in.bool();
                case "approverId" -> approverId = in.stringOrNull();
                default -> executed.take(in);
            }
        }
        return new ExecApprovalRequest(
                in.required("processId", processId),
                in.required("execId", execId),
                executed.build(in),
                matches,
                justification,
                sandboxed,
                approverId);
    }

    @Override
    public void writeTo(JsonGenerator g) throws IOException {
        g.writeStartObject();
        g.writeStringField("processId", processId);
        g.writeNumberField("execId", execId);
        executed.writeMembers(g);
        g.writeFieldName("matches");
        JsonFields.values(g, matches);
        JsonFields.ifPresent(g, "justification", justification);
        g.writeBooleanField("sandboxed", sandboxed);
        JsonFields.ifPresent(g, "approverId", approverId);
        g.writeEndObject();
    }
}
