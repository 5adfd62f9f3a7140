package dev.execserver.protocol.process;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.execserver.protocol.rpc.JsonFields;
import dev.execserver.protocol.rpc.JsonWritable;
import dev.execserver.protocol.rpc.ParamsReader;
import java.io.IOException;
import java.util.OptionalLong;

/**
 * Resource limits of a command, an addition to {@code process/start}. The start fails if the server's machine cannot
 * enforce one of them.
 *
 * @param pids processes and threads at the same time, of the command and everything that it starts
 * @param memoryBytes memory of all of them together
 * @param cpuSeconds processor time of each process
 * @param openFiles descriptors of each process
 * @param fileSizeBytes size of a file that a process writes
 */
public record ResourceLimits(
        OptionalLong pids,
        OptionalLong memoryBytes,
        OptionalLong cpuSeconds,
        OptionalLong openFiles,
        OptionalLong fileSizeBytes)
        implements JsonWritable {

    public static final ResourceLimits NONE = new ResourceLimits(
            OptionalLong.empty(),
            OptionalLong.empty(),
            OptionalLong.empty(),
            OptionalLong.empty(),
            OptionalLong.empty());

    static ResourceLimits read(ParamsReader in) {
        OptionalLong pids = OptionalLong.empty();
        OptionalLong memoryBytes = OptionalLong.empty();
        OptionalLong cpuSeconds = OptionalLong.empty();
        OptionalLong openFiles = OptionalLong.empty();
        OptionalLong fileSizeBytes = OptionalLong.empty();
        while (in.next()) {
            switch (in.name()) {
                case "pids" -> pids = in.u64OrNull();
                case "memoryBytes" -> memoryBytes = in.u64OrNull();
                case "cpuSeconds" -> cpuSeconds = in.u64OrNull();
                case "openFiles" -> openFiles = in.u64OrNull();
                case "fileSizeBytes" -> fileSizeBytes = in.u64OrNull();
                // An unknown limit could not be enforced.
                default ->
                    throw ParamsReader.unknownVariant(
                            in.name(), "one of `pids`, `memoryBytes`, `cpuSeconds`, `openFiles`, `fileSizeBytes`");
            }
        }
        return new ResourceLimits(pids, memoryBytes, cpuSeconds, openFiles, fileSizeBytes);
    }

    @Override
    public void writeTo(JsonGenerator g) throws IOException {
        g.writeStartObject();
        JsonFields.ifPresent(g, "pids", pids);
        JsonFields.ifPresent(g, "memoryBytes", memoryBytes);
        JsonFields.ifPresent(g, "cpuSeconds", cpuSeconds);
        JsonFields.ifPresent(g, "openFiles", openFiles);
        JsonFields.ifPresent(g, "fileSizeBytes", fileSizeBytes);
        g.writeEndObject();
    }
}
