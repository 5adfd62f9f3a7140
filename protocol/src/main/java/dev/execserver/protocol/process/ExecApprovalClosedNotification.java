package dev.execserver.protocol.process;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.execserver.protocol.rpc.JsonFields;
import dev.execserver.protocol.rpc.JsonSlice;
import dev.execserver.protocol.rpc.JsonWritable;
import dev.execserver.protocol.rpc.ParamsReader;
import java.io.IOException;
import java.util.Optional;

/**
 * Params of the notification {@code exec/approvalClosed}: an answer to this question would be too late.
 *
 * @param execId number of the exec, unique in its process
 * @param approverId the right by which this connection was asked, if it has not the session
 * @param by {@code client} or {@code approver}: who has answered; {@code timeout}: nobody has; {@code ended}: the process or its
 *     start is over; {@code replaced}: another connection uses the right
 */
public record ExecApprovalClosedNotification(String processId, long execId, Optional<String> approverId, String by)
        implements JsonWritable {

    /** Errors are those of {@link ParamsReader}. */
    public static ExecApprovalClosedNotification read(JsonSlice params) {
        ParamsReader in = ParamsReader.of(params, "ExecApprovalClosedNotification");
        String processId = null;
        Long execId = null;
        Optional<String> approverId = Optional.empty();
        String by = null;
        while (in.next()) {
            switch (in.name()) {
                case "processId" -> processId = in.string();
                case "execId" -> execId = in.u64();
                case "approverId" -> approverId = in.stringOrNull();
                case "by" -> by = in.string();
                default -> {}
            }
        }
        return new ExecApprovalClosedNotification(
                in.required("processId", processId), in.required("execId", execId), approverId, in.required("by", by));
    }

    @Override
    public void writeTo(JsonGenerator g) throws IOException {
        g.writeStartObject();
        g.writeStringField("processId", processId);
        g.writeNumberField("execId", execId);
        JsonFields.ifPresent(g, "approverId", approverId);
        g.writeStringField("by", by);
        g.writeEndObject();
    }
}
