package dev.execserver.protocol.session;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.execserver.protocol.rpc.Dialect;
import dev.execserver.protocol.rpc.JsonFields;
import dev.execserver.protocol.rpc.JsonSlice;
import dev.execserver.protocol.rpc.JsonWritable;
import dev.execserver.protocol.rpc.ParamsReader;
import java.io.IOException;
import java.util.OptionalLong;

/**
 * Params of {@code session/observe}, an addition.
 *
 * @param sessionId id of a session of the same principal
 * @param processId one of its processes
 * @param afterSeq the answer has chunks after this number; 0 when absent
 * @param lastBytes only chunks among the last so many bytes of output; what is passed over shows in {@code offset}. All that is kept when absent
 * @param maxBytes limit of the decoded bytes in the answer, except that the first chunk is never cut; 256 KiB when absent, and at most
 * @param waitMs longest time to wait for something new; 0 when absent
 */
public record ObserveParams(
        String sessionId, String processId, long afterSeq, OptionalLong lastBytes, OptionalLong maxBytes, long waitMs)
        implements JsonWritable {

    /** Errors are those of {@link ParamsReader}. */
    public static ObserveParams read(JsonSlice params, Dialect dialect) {
        ParamsReader in = ParamsReader.of(params, "ObserveParams");
        String sessionId = null;
        String processId = null;
        long afterSeq = 0;
        OptionalLong lastBytes = OptionalLong.empty();
        OptionalLong maxBytes = OptionalLong.empty();
        long waitMs = 0;
        while (in.next()) {
            switch (in.name()) {
                case "sessionId" -> sessionId = in.string();
                case "processId" -> processId = in.string();
                case "afterSeq" -> afterSeq = in.u64OrNull().orElse(0);
                case "lastBytes" -> lastBytes = in.u64OrNull();
                case "maxBytes" -> maxBytes = in.usizeOrNull();
                case "waitMs" -> waitMs = in.u64OrNull().orElse(0);
                default -> {}
            }
        }
        return new ObserveParams(
                in.required("sessionId", sessionId),
                in.required("processId", processId),
                afterSeq,
                lastBytes,
                maxBytes,
                waitMs);
    }

    @Override
    public void writeTo(JsonGenerator g) throws IOException {
        g.writeStartObject();
        g.writeStringField("sessionId", sessionId);
        g.writeStringField("processId", processId);
        g.writeNumberField("afterSeq", afterSeq);
        JsonFields.ifPresent(g, "lastBytes", lastBytes);
        JsonFields.ifPresent(g, "maxBytes", maxBytes);
        g.writeNumberField("waitMs", waitMs);
        g.writeEndObject();
    }
}
