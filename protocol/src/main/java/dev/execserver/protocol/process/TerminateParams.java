package dev.execserver.protocol.process;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.execserver.protocol.rpc.Dialect;
import dev.execserver.protocol.rpc.JsonFields;
import dev.execserver.protocol.rpc.JsonSlice;
import dev.execserver.protocol.rpc.JsonWritable;
import dev.execserver.protocol.rpc.ParamsReader;
import java.io.IOException;
import java.util.OptionalLong;

/**
 * Params of {@code process/terminate}.
 *
 * @param graceMs addition, read in the open dialect: the server sends SIGTERM first, and SIGKILL after this time;
 *     SIGKILL at once when absent
 */
public record TerminateParams(String processId, OptionalLong graceMs) implements JsonWritable {

    /** Errors are those of {@link ParamsReader}. */
    public static TerminateParams read(JsonSlice params, Dialect dialect) {
        ParamsReader in = ParamsReader.of(params, "TerminateParams");
        String processId = null;
        OptionalLong graceMs = OptionalLong.empty();
        while (in.next()) {
            switch (in.name()) {
                case "processId" -> processId = in.string();
                case "graceMs" -> graceMs = dialect.open() ? in.u64OrNull() : graceMs;
                default -> {}
            }
        }
        return new TerminateParams(in.required("processId", processId), graceMs);
    }

    @Override
    public void writeTo(JsonGenerator g) throws IOException {
        g.writeStartObject();
        g.writeStringField("processId", processId);
        JsonFields.ifPresent(g, "graceMs", graceMs);
        g.writeEndObject();
    }
}
