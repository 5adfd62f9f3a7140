package dev.execserver.protocol.process;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.execserver.protocol.rpc.Dialect;
import dev.execserver.protocol.rpc.JsonFields;
import dev.execserver.protocol.rpc.JsonSlice;
import dev.execserver.protocol.rpc.JsonWritable;
import dev.execserver.protocol.rpc.ParamsReader;
import java.io.IOException;
import java.util.OptionalLong;

/**
 * Params of {@code process/read}.
 *
 * @param afterSeq the read returns chunks after this number; 0 when absent
 * @param maxBytes limit of the decoded bytes in the answer, except that the first chunk is never cut. Empty means no
 *     limit, and also changes the meaning of {@code nextSeq} in the answer
 * @param waitMs longest time to wait for something new; 0 when absent
 */
public record ReadParams(String processId, long afterSeq, OptionalLong maxBytes, long waitMs) implements JsonWritable {

    /** Reads the params; they are the same in both dialects. */
    public static ReadParams read(JsonSlice params, Dialect dialect) {
        ParamsReader in = ParamsReader.of(params, "ReadParams");
        String processId = null;
        long afterSeq = 0;
        OptionalLong maxBytes = OptionalLong.empty();
        long waitMs = 0;
        while (in.next()) {
            switch (in.name()) {
                case "processId" -> processId = in.string();
                case "afterSeq" -> afterSeq = in.u64OrNull().orElse(0);
                case "maxBytes" -> maxBytes = in.usizeOrNull();
                case "waitMs" -> waitMs = in.u64OrNull().orElse(0);
                default -> {}
            }
        }
        return new ReadParams(in.required("processId", processId), afterSeq, maxBytes, waitMs);
    }

    @Override
    public void writeTo(JsonGenerator g) throws IOException {
        g.writeStartObject();
        g.writeStringField("processId", processId);
        g.writeNumberField("afterSeq", afterSeq);
        JsonFields.orNull(g, "maxBytes", maxBytes);
        g.writeNumberField("waitMs", waitMs);
        g.writeEndObject();
    }
}
