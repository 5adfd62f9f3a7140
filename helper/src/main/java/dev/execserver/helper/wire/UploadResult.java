package dev.execserver.helper.wire;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.execserver.helper.fs.FileReplacement;
import dev.execserver.protocol.rpc.JsonSlice;
import dev.execserver.protocol.rpc.JsonWritable;
import dev.execserver.protocol.rpc.ParamsReader;
import java.io.IOException;

/** Result of {@link UploadMethods#COMMIT}. */
public record UploadResult(FileReplacement.Stored stored) implements JsonWritable {

    /**
     * Reads a result.
     *
     * @throws dev.execserver.protocol.rpc.RpcException when the value is no such result
     */
    public static UploadResult read(JsonSlice value) {
        ParamsReader in = ParamsReader.of(value, "UploadResult");
        Boolean created = null;
        String tag = null;
        while (in.next()) {
            switch (in.name()) {
                case "created" -> created = in.bool();
                case "tag" -> tag = in.string();
                default -> {}
            }
        }
        return new UploadResult(new FileReplacement.Stored(in.required("created", created), in.required("tag", tag)));
    }

    @Override
    public void writeTo(JsonGenerator g) throws IOException {
        g.writeStartObject();
        g.writeBooleanField("created", stored.created());
        g.writeStringField("tag", stored.tag());
        g.writeEndObject();
    }
}
