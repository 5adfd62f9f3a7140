package dev.execserver.protocol.process;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.execserver.protocol.rpc.JsonFields;
import dev.execserver.protocol.rpc.JsonSlice;
import dev.execserver.protocol.rpc.ParamsReader;
import java.io.IOException;
import java.util.Optional;

/**
 * Params of the notification {@code exec/decided}: a program that a command executes, or wanted to execute.
 *
 * @param truncated true if the arguments are longer than a report may be, so that the last ones are missing
 * @param decision as it was carried out
 * @param by who or what has decided: {@code rule}, {@code heuristics}, {@code fallback}, {@code client}, {@code approver}, {@code remembered}, {@code timeout},
 *     {@code floor} or {@code changed} (the program was exchanged after the decision, and killed)
 * @param rule file and line of the rule that has decided
 * @param atMs milliseconds since the epoch
 */
public record ExecDecidedNotification(
        String processId,
        long seq,
        long execId,
        ExecutedProgram executed,
        boolean truncated,
        ExecApprovalAnswer.Decision decision,
        String by,
        Optional<String> rule,
        long atMs)
        implements ExecReport {

    /** Errors are those of {@link ParamsReader}. */
    public static ExecDecidedNotification read(JsonSlice params) {
        ParamsReader in = ParamsReader.of(params, "ExecDecidedNotification");
        String processId = null;
        Long seq = null;
        Long execId = null;
        ExecutedProgram.Reader executed = new ExecutedProgram.Reader();
        boolean truncated = false;
        ExecApprovalAnswer.Decision decision = null;
        String by = null;
        Optional<String> rule = Optional.empty();
        Long atMs = null;
        while (in.next()) {
            switch (in.name()) {
                case "processId" -> processId = in.string();
                case "seq" -> seq = in.u64();
                case "execId" -> execId = in.u64();
                case "truncated" -> truncated = in.bool();
                case "decision" -> decision = ExecWords.parse(in.string(), ExecApprovalAnswer.Decision.values());
                case "by" -> by = in.string();
                case "rule" -> rule = in.stringOrNull();
                case "atMs" -> atMs = in.u64();
                default -> executed.take(in);
            }
        }
        return new ExecDecidedNotification(
                in.required("processId", processId),
                in.required("seq", seq),
                in.required("execId", execId),
                executed.build(in),
                truncated,
                in.required("decision", decision),
                in.required("by", by),
                rule,
                in.required("atMs", atMs));
    }

    @Override
    public void writeTo(JsonGenerator g) throws IOException {
        g.writeStartObject();
        g.writeStringField("processId", processId);
        g.writeNumberField("seq", seq);
        g.writeNumberField("execId", execId);
        executed.writeMembers(g);
        if (truncated) {
            g.writeBooleanField("truncated", true);
        }
        g.writeStringField("decision", ExecWords.word(decision));
        g.writeStringField("by", by);
        JsonFields.ifPresent(g, "rule", rule);
        g.writeNumberField("atMs", atMs);
        g.writeEndObject();
    }
}
