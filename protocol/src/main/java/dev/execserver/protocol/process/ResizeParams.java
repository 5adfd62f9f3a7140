package dev.execserver.protocol.process;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.execserver.protocol.rpc.Dialect;
import dev.execserver.protocol.rpc.JsonSlice;
import dev.execserver.protocol.rpc.JsonWritable;
import dev.execserver.protocol.rpc.ParamsReader;
import java.io.IOException;

/**
 * Params of {@code process/resize}, an addition; the result is an empty object. The size has no object of its own: its
 * members are next to {@code processId}.
 */
public record ResizeParams(String processId, TerminalSize size) implements JsonWritable {

    /** Errors are those of {@link ParamsReader}; each dimension is 1 to 65535. */
    public static ResizeParams read(JsonSlice params, Dialect dialect) {
        ParamsReader in = ParamsReader.of(params, "ResizeParams");
        String processId = null;
        Integer cols = null;
        Integer rows = null;
        while (in.next()) {
            switch (in.name()) {
                case "processId" -> processId = in.string();
                case "cols" -> cols = TerminalSize.dimension(in);
                case "rows" -> rows = TerminalSize.dimension(in);
                default -> {}
            }
        }
        return new ResizeParams(
                in.required("processId", processId),
                new TerminalSize(in.required("cols", cols), in.required("rows", rows)));
    }

    @Override
    public void writeTo(JsonGenerator g) throws IOException {
        g.writeStartObject();
        g.writeStringField("processId", processId);
        g.writeNumberField("cols", size.cols());
        g.writeNumberField("rows", size.rows());
        g.writeEndObject();
    }
}
