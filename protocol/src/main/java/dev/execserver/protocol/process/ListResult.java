package dev.execserver.protocol.process;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.execserver.protocol.rpc.Dialect;
import dev.execserver.protocol.rpc.JsonSlice;
import dev.execserver.protocol.rpc.JsonWritable;
import dev.execserver.protocol.rpc.ParamsReader;
import java.io.IOException;
import java.util.List;

/**
 * Result of {@code process/list}, an addition: the processes of the session, including exited ones that are retained.
 */
public record ListResult(List<ProcessInfo> processes) implements JsonWritable {

    public ListResult {
        processes = List.copyOf(processes);
    }

    /** Errors are those of {@link ParamsReader}. */
    public static ListResult read(JsonSlice result, Dialect dialect) {
        ParamsReader in = ParamsReader.of(result, "ListResponse");
        List<ProcessInfo> processes = null;
        while (in.next()) {
            if (in.name().equals("processes")) {
                processes = in.structs("ProcessInfo", inner -> ProcessInfo.read(inner, dialect));
            }
        }
        return new ListResult(in.required("processes", processes));
    }

    @Override
    public void writeTo(JsonGenerator g) throws IOException {
        g.writeStartObject();
        g.writeArrayFieldStart("processes");
        for (ProcessInfo process : processes) {
            process.writeTo(g);
        }
        g.writeEndArray();
        g.writeEndObject();
    }
}
