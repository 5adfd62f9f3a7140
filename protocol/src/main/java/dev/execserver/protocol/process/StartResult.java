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
 * Result of {@code process/start}.
 *
 * @param sandboxType {@link SandboxType#NONE} when a server of an older release leaves it out
 * @param sandboxBackend addition, only when a sandbox was requested: the backend that confines the process,
 *     {@code bubblewrap}, {@code landlock}, {@code seccomp} or {@code none}
 */
public record StartResult(String processId, SandboxType sandboxType, Optional<String> sandboxBackend)
        implements JsonWritable {

    /** Makes the result for a process without a requested sandbox. */
    public StartResult(String processId, SandboxType sandboxType) {
        this(processId, sandboxType, Optional.empty());
    }

    /** Errors are those of {@link ParamsReader}. */
    public static StartResult read(JsonSlice result, Dialect dialect) {
        ParamsReader in = ParamsReader.of(result, "ExecResponse");
        String processId = null;
        SandboxType sandboxType = SandboxType.NONE;
        Optional<String> sandboxBackend = Optional.empty();
        while (in.next()) {
            switch (in.name()) {
                case "processId" -> processId = in.string();
                case "sandboxType" ->
                    sandboxType = in.stringOrNull().map(SandboxType::parse).orElse(SandboxType.NONE);
                case "sandboxBackend" -> sandboxBackend = in.stringOrNull();
                default -> {}
            }
        }
        return new StartResult(in.required("processId", processId), sandboxType, sandboxBackend);
    }

    @Override
    public void writeTo(JsonGenerator g) throws IOException {
        g.writeStartObject();
        g.writeStringField("processId", processId);
        g.writeStringField("sandboxType", sandboxType.wire());
        JsonFields.ifPresent(g, "sandboxBackend", sandboxBackend);
        g.writeEndObject();
    }
}
