package dev.execserver.protocol.process;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.execserver.protocol.rpc.Dialect;
import dev.execserver.protocol.rpc.JsonSlice;
import dev.execserver.protocol.rpc.JsonWritable;
import dev.execserver.protocol.rpc.ParamsReader;
import java.io.IOException;

/**
 * Result of {@code exec/allowApprover}, an addition.
 *
 * @param token secret with which a connection becomes an approver, one at a time, as long as the session exists
 * @param approverId name of this right in questions and reports; no secret
 */
public record AllowApproverResult(String token, String approverId) implements JsonWritable {

    /** Errors are those of {@link ParamsReader}. */
    public static AllowApproverResult read(JsonSlice result, Dialect dialect) {
        ParamsReader in = ParamsReader.of(result, "AllowApproverResponse");
        String token = null;
        String approverId = null;
        while (in.next()) {
            switch (in.name()) {
                case "token" -> token = in.string();
                case "approverId" -> approverId = in.string();
                default -> {}
            }
        }
        return new AllowApproverResult(in.required("token", token), in.required("approverId", approverId));
    }

    /** Returns the right without its secret. */
    @Override
    public String toString() {
        return "AllowApproverResult[approverId=" + approverId + "]";
    }

    @Override
    public void writeTo(JsonGenerator g) throws IOException {
        g.writeStartObject();
        g.writeStringField("token", token);
        g.writeStringField("approverId", approverId);
        g.writeEndObject();
    }
}
