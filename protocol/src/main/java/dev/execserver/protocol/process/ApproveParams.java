package dev.execserver.protocol.process;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.execserver.protocol.rpc.Dialect;
import dev.execserver.protocol.rpc.JsonSlice;
import dev.execserver.protocol.rpc.JsonWritable;
import dev.execserver.protocol.rpc.ParamsReader;
import java.io.IOException;

/**
 * Params of {@code exec/approve}, an addition.
 *
 * @param token secret that {@code exec/allowApprover} or the operator has given
 */
public record ApproveParams(String token) implements JsonWritable {

    /** Errors are those of {@link ParamsReader}. */
    public static ApproveParams read(JsonSlice params, Dialect dialect) {
        ParamsReader in = ParamsReader.of(params, "ApproveParams");
        String token = null;
        while (in.next()) {
            if (in.name().equals("token")) {
                token = in.string();
            }
        }
        return new ApproveParams(in.required("token", token));
    }

    /** Returns no secret. */
    @Override
    public String toString() {
        return "ApproveParams[]";
    }

    @Override
    public void writeTo(JsonGenerator g) throws IOException {
        g.writeStartObject();
        g.writeStringField("token", token);
        g.writeEndObject();
    }
}
