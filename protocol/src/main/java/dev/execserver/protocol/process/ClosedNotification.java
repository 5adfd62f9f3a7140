package dev.execserver.protocol.process;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.execserver.protocol.rpc.Dialect;
import dev.execserver.protocol.rpc.JsonFields;
import dev.execserver.protocol.rpc.JsonSlice;
import dev.execserver.protocol.rpc.JsonWritable;
import dev.execserver.protocol.rpc.ParamsReader;
import java.io.IOException;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * Params of the notification {@code process/closed}: the process has exited and its output has ended.
 *
 * @param seq absent from servers of the first release; this server always sends it
 * @param reason addition: reason why the output was abandoned before its end, if it was
 */
public record ClosedNotification(String processId, OptionalLong seq, Optional<String> reason) implements JsonWritable {

    public ClosedNotification(String processId, long seq) {
        this(processId, OptionalLong.of(seq), Optional.empty());
    }

    /** Errors are those of {@link ParamsReader}. */
    public static ClosedNotification read(JsonSlice params, Dialect dialect) {
        ParamsReader in = ParamsReader.of(params, "ExecClosedNotification");
        String processId = null;
        OptionalLong seq = OptionalLong.empty();
        Optional<String> reason = Optional.empty();
        while (in.next()) {
            switch (in.name()) {
                case "processId" -> processId = in.string();
                case "seq" -> seq = in.u64OrNull();
                case "reason" -> reason = in.stringOrNull();
                default -> {}
            }
        }
        return new ClosedNotification(in.required("processId", processId), seq, reason);
    }

    @Override
    public void writeTo(JsonGenerator g) throws IOException {
        g.writeStartObject();
        g.writeStringField("processId", processId);
        JsonFields.ifPresent(g, "seq", seq);
        JsonFields.ifPresent(g, "reason", reason);
        g.writeEndObject();
    }
}
