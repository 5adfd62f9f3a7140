package dev.execserver.protocol.process;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.execserver.protocol.rpc.Dialect;
import dev.execserver.protocol.rpc.DirectWritable;
import dev.execserver.protocol.rpc.JsonSlice;
import dev.execserver.protocol.rpc.MessageBuffer;
import dev.execserver.protocol.rpc.ParamsReader;
import java.io.IOException;

/** Params of the notification {@code process/output}. Servers use {@link OutputNotificationEncoder} to write it. */
public record OutputNotification(String processId, OutputChunk chunk) implements DirectWritable {

    /** Errors are those of {@link ParamsReader}. */
    public static OutputNotification read(JsonSlice params, Dialect dialect) {
        ParamsReader in = ParamsReader.of(params, "ExecOutputDeltaNotification");
        String processId = null;
        Long seq = null;
        StreamKind stream = null;
        byte[] bytes = null;
        while (in.next()) {
            switch (in.name()) {
                case "processId" -> processId = in.string();
                case "seq" -> seq = in.u64();
                case "stream" -> stream = StreamKind.parse(in.string());
                case "chunk" -> bytes = in.base64();
                default -> {}
            }
        }
        return new OutputNotification(
                in.required("processId", processId),
                new OutputChunk(in.required("seq", seq), in.required("stream", stream), in.required("chunk", bytes)));
    }

    @Override
    public void writeTo(JsonGenerator g) throws IOException {
        g.writeStartObject();
        g.writeStringField("processId", processId);
        chunk.writeMembers(g);
        g.writeEndObject();
    }

    @Override
    public void writeDirect(MessageBuffer out) {
        out.ascii("{\"processId\":");
        out.string(processId);
        out.ascii(",\"seq\":");
        chunk.writeMembers(out);
    }
}
