package dev.execserver.protocol.process;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.execserver.protocol.rpc.Dialect;
import dev.execserver.protocol.rpc.JsonSlice;
import dev.execserver.protocol.rpc.JsonWritable;
import dev.execserver.protocol.rpc.ParamsReader;
import java.io.IOException;

/**
 * Result of {@code process/start}.
 *
 * @param sandboxType {@link SandboxType#NONE} when a server of an older release leaves it out
 */
public record StartResult(String processId, SandboxType sandboxType) implements JsonWritable {

    /** Errors are those of {@link ParamsReader}. */
    public static StartResult read(JsonSlice result, Dialect dialect) {
        ParamsReader in = ParamsReader.of(result, "ExecResponse");
        String processId = null;
        SandboxType sandboxType = SandboxType.NONE;
        while (in.next()) {
            switch (in.name()) {
                case "processId" -> processId = in.string();
                case "sandboxType" ->
                    sandboxType = in.stringOrNull().map(SandboxType::parse).orElse(SandboxType.NONE);
                default -> {}
            }
        }
        return new StartResult(in.required("processId", processId), sandboxType);
    }

    @Override
    public void writeTo(JsonGenerator g) throws IOException {
        g.writeStartObject();
        g.writeStringField("processId", processId);
        g.writeStringField("sandboxType", sandboxType.wire());
        g.writeEndObject();
    }
}
