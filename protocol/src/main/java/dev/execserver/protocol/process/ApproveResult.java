package dev.execserver.protocol.process;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.execserver.protocol.rpc.Dialect;
import dev.execserver.protocol.rpc.JsonFields;
import dev.execserver.protocol.rpc.JsonSlice;
import dev.execserver.protocol.rpc.JsonWritable;
import dev.execserver.protocol.rpc.ParamsReader;
import java.io.IOException;
import java.util.Optional;

/**
 * Result of {@code exec/approve}, an addition. The questions follow.
 *
 * @param approverId name of the right, which is in each question that comes by it
 * @param clientName name of the client that has the session
 * @param sessionName name of the session, as its client has given it
 */
public record ApproveResult(String approverId, String clientName, Optional<String> sessionName)
        implements JsonWritable {

    /** Errors are those of {@link ParamsReader}. */
    public static ApproveResult read(JsonSlice result, Dialect dialect) {
        ParamsReader in = ParamsReader.of(result, "ApproveResponse");
        String approverId = null;
        String clientName = null;
        Optional<String> sessionName = Optional.empty();
        while (in.next()) {
            switch (in.name()) {
                case "approverId" -> approverId = in.string();
                case "clientName" -> clientName = in.string();
                case "sessionName" -> sessionName = in.stringOrNull();
                default -> {}
            }
        }
        return new ApproveResult(
                in.required("approverId", approverId), in.required("clientName", clientName), sessionName);
    }

    @Override
    public void writeTo(JsonGenerator g) throws IOException {
        g.writeStartObject();
        g.writeStringField("approverId", approverId);
        g.writeStringField("clientName", clientName);
        JsonFields.ifPresent(g, "sessionName", sessionName);
        g.writeEndObject();
    }
}
