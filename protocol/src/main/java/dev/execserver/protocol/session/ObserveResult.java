package dev.execserver.protocol.session;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.execserver.protocol.process.ReadResult;
import dev.execserver.protocol.rpc.Dialect;
import dev.execserver.protocol.rpc.DirectWritable;
import dev.execserver.protocol.rpc.JsonSlice;
import dev.execserver.protocol.rpc.MessageBuffer;
import dev.execserver.protocol.rpc.ParamsReader;
import java.io.IOException;

/**
 * Result of {@code session/observe}, an addition.
 *
 * @param offset position of the first byte of this answer in the whole output of the process. More than the {@code endOffset} of the answer
 *     before means that output in between was passed over, or is no longer kept
 * @param endOffset position behind the last byte of this answer
 * @param output what {@code process/read} would say
 */
public record ObserveResult(long offset, long endOffset, ReadResult output) implements DirectWritable {

    /** Errors are those of {@link ParamsReader}. */
    public static ObserveResult read(JsonSlice result, Dialect dialect) {
        ParamsReader in = ParamsReader.of(result, "ObserveResponse");
        long offset = 0;
        long endOffset = 0;
        ReadResult output = null;
        while (in.next()) {
            switch (in.name()) {
                case "offset" -> offset = in.u64();
                case "endOffset" -> endOffset = in.u64();
                case "output" -> output = in.struct("ReadResponse", ReadResult::read);
                default -> {}
            }
        }
        return new ObserveResult(offset, endOffset, in.required("output", output));
    }

    @Override
    public void writeDirect(MessageBuffer out) {
        out.ascii("{\"offset\":");
        out.number(offset);
        out.ascii(",\"endOffset\":");
        out.number(endOffset);
        out.ascii(",\"output\":");
        output.writeDirect(out);
        out.write('}');
    }

    @Override
    public void writeTo(JsonGenerator g) throws IOException {
        g.writeStartObject();
        g.writeNumberField("offset", offset);
        g.writeNumberField("endOffset", endOffset);
        g.writeFieldName("output");
        output.writeTo(g);
        g.writeEndObject();
    }
}
