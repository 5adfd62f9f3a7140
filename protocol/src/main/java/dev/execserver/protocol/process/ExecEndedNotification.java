package dev.execserver.protocol.process;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.execserver.protocol.rpc.JsonSlice;
import dev.execserver.protocol.rpc.ParamsReader;
import java.io.IOException;

/**
 * Params of the notification {@code exec/ended}: an escalated program has ended.
 *
 * @param exitCode 128 and the number of the signal for a program that a signal has ended
 */
public record ExecEndedNotification(String processId, long seq, long execId, int exitCode) implements ExecReport {

    /** Errors are those of {@link ParamsReader}. */
    public static ExecEndedNotification read(JsonSlice params) {
        ParamsReader in = ParamsReader.of(params, "ExecEndedNotification");
        String processId = null;
        Long seq = null;
        Long execId = null;
        Integer exitCode = null;
        while (in.next()) {
            switch (in.name()) {
                case "processId" -> processId = in.string();
                case "seq" -> seq = in.u64();
                case "execId" -> execId = in.u64();
                case "exitCode" -> exitCode = in.i32();
                default -> {}
            }
        }
        return new ExecEndedNotification(
                in.required("processId", processId),
                in.required("seq", seq),
                in.required("execId", execId),
                in.required("exitCode", exitCode));
    }

    @Override
    public void writeTo(JsonGenerator g) throws IOException {
        g.writeStartObject();
        g.writeStringField("processId", processId);
        g.writeNumberField("seq", seq);
        g.writeNumberField("execId", execId);
        g.writeNumberField("exitCode", exitCode);
        g.writeEndObject();
    }
}
