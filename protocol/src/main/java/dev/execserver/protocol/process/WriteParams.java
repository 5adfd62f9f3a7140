package dev.execserver.protocol.process;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.execserver.protocol.rpc.Dialect;
import dev.execserver.protocol.rpc.JsonFields;
import dev.execserver.protocol.rpc.JsonSlice;
import dev.execserver.protocol.rpc.JsonWritable;
import dev.execserver.protocol.rpc.ParamsReader;
import dev.execserver.protocol.rpc.RpcException;
import java.io.IOException;
import java.util.Arrays;
import java.util.Objects;
import java.util.Optional;

/**
 * Params of {@code process/write}.
 *
 * @param chunk bytes for stdin, may be empty; must not be modified
 * @param writeId makes a repeated write harmless; never empty. Absent only in the open dialect, for a write that cannot
 *     be repeated safely
 */
@SuppressWarnings("ArrayRecordComponent") // up to 48 MiB, which go to stdin without a copy
public record WriteParams(String processId, byte[] chunk, Optional<String> writeId) implements JsonWritable {

    /** Errors are those of {@link ParamsReader}. An empty {@code writeId} is refused too. */
    public static WriteParams read(JsonSlice params, Dialect dialect) {
        ParamsReader in = ParamsReader.of(params, "WriteParams");
        String processId = null;
        byte[] chunk = null;
        Optional<String> writeId = Optional.empty();
        while (in.next()) {
            switch (in.name()) {
                case "processId" -> processId = in.string();
                case "chunk" -> chunk = in.base64("chunk", dialect);
                case "writeId" -> writeId = dialect.open() ? in.stringOrNull() : Optional.of(in.string());
                default -> {}
            }
        }
        in.required("processId", processId);
        in.required("chunk", chunk);
        if (writeId.isEmpty() && !dialect.open()) {
            throw ParamsReader.missing("writeId");
        }
        if (writeId.filter(String::isEmpty).isPresent()) {
            throw RpcException.invalidParams("writeId must not be empty");
        }
        return new WriteParams(processId, chunk, writeId);
    }

    @Override
    public void writeTo(JsonGenerator g) throws IOException {
        g.writeStartObject();
        g.writeStringField("processId", processId);
        g.writeBinaryField("chunk", chunk);
        JsonFields.ifPresent(g, "writeId", writeId);
        g.writeEndObject();
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof WriteParams that
                && processId.equals(that.processId)
                && Arrays.equals(chunk, that.chunk)
                && writeId.equals(that.writeId);
    }

    @Override
    public int hashCode() {
        return Objects.hash(processId, Arrays.hashCode(chunk), writeId);
    }

    @Override
    public String toString() {
        return "WriteParams[processId=" + processId + ", " + chunk.length + " bytes, writeId=" + writeId + "]";
    }
}
