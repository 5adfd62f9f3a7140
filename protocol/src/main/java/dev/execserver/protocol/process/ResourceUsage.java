package dev.execserver.protocol.process;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.execserver.protocol.rpc.JsonFields;
import dev.execserver.protocol.rpc.JsonWritable;
import dev.execserver.protocol.rpc.ParamsReader;
import java.io.IOException;
import java.util.OptionalLong;

/**
 * Resources that a process and everything that it started have used until its exit. An addition, sent if the start had
 * {@code limits}, even empty ones.
 *
 * @param cpuMs processor time, user and system, in milliseconds; empty if it could not be measured
 * @param peakMemoryBytes peak memory of all its processes together; empty if it could not be measured
 * @param wallMs milliseconds from start to exit
 */
public record ResourceUsage(OptionalLong cpuMs, OptionalLong peakMemoryBytes, long wallMs) implements JsonWritable {

    static ResourceUsage read(ParamsReader in) {
        OptionalLong cpuMs = OptionalLong.empty();
        OptionalLong peakMemoryBytes = OptionalLong.empty();
        long wallMs = 0;
        while (in.next()) {
            switch (in.name()) {
                case "cpuMs" -> cpuMs = in.u64OrNull();
                case "peakMemoryBytes" -> peakMemoryBytes = in.u64OrNull();
                case "wallMs" -> wallMs = in.u64();
                default -> {}
            }
        }
        return new ResourceUsage(cpuMs, peakMemoryBytes, wallMs);
    }

    @Override
    public void writeTo(JsonGenerator g) throws IOException {
        g.writeStartObject();
        JsonFields.ifPresent(g, "cpuMs", cpuMs);
        JsonFields.ifPresent(g, "peakMemoryBytes", peakMemoryBytes);
        g.writeNumberField("wallMs", wallMs);
        g.writeEndObject();
    }
}
