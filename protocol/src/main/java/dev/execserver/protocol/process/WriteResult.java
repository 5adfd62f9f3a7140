package dev.execserver.protocol.process;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.execserver.protocol.rpc.Dialect;
import dev.execserver.protocol.rpc.JsonSlice;
import dev.execserver.protocol.rpc.JsonWritable;
import dev.execserver.protocol.rpc.ParamsReader;
import java.io.IOException;

/** Result of {@code process/write}. An unknown process is reported as a status, not as an error. */
public record WriteResult(WriteStatus status) implements JsonWritable {

    /** Errors are those of {@link ParamsReader}. */
    public static WriteResult read(JsonSlice result, Dialect dialect) {
        ParamsReader in = ParamsReader.of(result, "WriteResponse");
        WriteStatus status = null;
        while (in.next()) {
            if (in.name().equals("status")) {
                status = WriteStatus.parse(in.string());
            }
        }
        return new WriteResult(in.required("status", status));
    }

    @Override
    public void writeTo(JsonGenerator g) throws IOException {
        g.writeStartObject();
        g.writeStringField("status", status.wire());
        g.writeEndObject();
    }
}
