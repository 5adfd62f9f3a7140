package dev.execserver.protocol.app;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.execserver.protocol.rpc.JsonSlice;
import dev.execserver.protocol.rpc.JsonWritable;
import dev.execserver.protocol.rpc.ParamsReader;
import java.io.IOException;

/** Params of {@code command/exec/terminate} and {@code process/kill}. */
public record CommandTerminateParams(CommandFamily family, String id) implements JsonWritable {

    /** Errors are those of {@link ParamsReader}. */
    public static CommandTerminateParams read(CommandFamily family, JsonSlice params) {
        ParamsReader in = ParamsReader.of(params, "CommandExecTerminateParams");
        String id = null;
        while (in.next()) {
            if (in.name().equals(family.idMember())) {
                id = in.string();
            }
        }
        return new CommandTerminateParams(family, in.required(family.idMember(), id));
    }

    @Override
    public void writeTo(JsonGenerator g) throws IOException {
        g.writeStartObject();
        g.writeStringField(family.idMember(), id);
        g.writeEndObject();
    }
}
