package dev.execserver.protocol.process;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.execserver.protocol.rpc.Dialect;
import dev.execserver.protocol.rpc.JsonSlice;
import dev.execserver.protocol.rpc.JsonWritable;
import dev.execserver.protocol.rpc.ParamsReader;
import java.io.IOException;

/**
 * Result of {@code process/terminate}.
 *
 * @param running true if the process was alive or starting; false also for an unknown process
 */
public record TerminateResult(boolean running) implements JsonWritable {

    /** Errors are those of {@link ParamsReader}. */
    public static TerminateResult read(JsonSlice result, Dialect dialect) {
        ParamsReader in = ParamsReader.of(result, "TerminateResponse");
        Boolean running = null;
        while (in.next()) {
            if (in.name().equals("running")) {
                running = in.bool();
            }
        }
        return new TerminateResult(in.required("running", running));
    }

    @Override
    public void writeTo(JsonGenerator g) throws IOException {
        g.writeStartObject();
        g.writeBooleanField("running", running);
        g.writeEndObject();
    }
}
