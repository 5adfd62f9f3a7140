package dev.execserver.protocol.process;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.execserver.protocol.rpc.JsonWritable;
import dev.execserver.protocol.rpc.ParamsReader;
import java.io.IOException;

/**
 * What a process has used until its exit, with the descendants that it, or its sandbox, had waited for. An addition.
 *
 * @param cpuMs processor time, user and system, milliseconds
 * @param peakMemoryBytes of the largest process; of all together where memory was limited
 * @param wallMs from start to exit, milliseconds
 */
public record ResourceUsage(long cpuMs, long peakMemoryBytes, long wallMs) implements JsonWritable {

    static ResourceUsage read(ParamsReader in) {
        long cpuMs = 0;
        long peakMemoryBytes = 0;
        long wallMs = 0;
        while (in.next()) {
            switch (in.name()) {
                case "cpuMs" -> cpuMs = in.u64();
                case "peakMemoryBytes" -> peakMemoryBytes = in.u64();
                case "wallMs" -> wallMs = in.u64();
                default -> {}
            }
        }
        return new ResourceUsage(cpuMs, peakMemoryBytes, wallMs);
    }

    @Override
    public void writeTo(JsonGenerator g) throws IOException {
        g.writeStartObject();
        g.writeNumberField("cpuMs", cpuMs);
        g.writeNumberField("peakMemoryBytes", peakMemoryBytes);
        g.writeNumberField("wallMs", wallMs);
        g.writeEndObject();
    }
}
