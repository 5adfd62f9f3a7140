package dev.execserver.protocol.process;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.execserver.protocol.rpc.Dialect;
import dev.execserver.protocol.rpc.JsonSlice;
import dev.execserver.protocol.rpc.JsonWritable;
import dev.execserver.protocol.rpc.ParamsReader;
import java.io.IOException;

/** Params of {@code process/closeStdin}, an addition: end of file on stdin, after everything written before. */
public record CloseStdinParams(String processId) implements JsonWritable {

    /** Errors are those of {@link ParamsReader}. */
    public static CloseStdinParams read(JsonSlice params, Dialect dialect) {
        ParamsReader in = ParamsReader.of(params, "CloseStdinParams");
        String processId = null;
        while (in.next()) {
            if (in.name().equals("processId")) {
                processId = in.string();
            }
        }
        return new CloseStdinParams(in.required("processId", processId));
    }

    @Override
    public void writeTo(JsonGenerator g) throws IOException {
        g.writeStartObject();
        g.writeStringField("processId", processId);
        g.writeEndObject();
    }
}
