package dev.execserver.protocol.app;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.execserver.protocol.rpc.Dialect;
import dev.execserver.protocol.rpc.JsonFields;
import dev.execserver.protocol.rpc.JsonSlice;
import dev.execserver.protocol.rpc.JsonWritable;
import dev.execserver.protocol.rpc.ParamsReader;
import java.io.IOException;
import java.util.OptionalLong;

/**
 * Params of {@code command/exec/terminate} and {@code process/kill}.
 *
 * @param graceMs addition, read in the open dialect: the server sends SIGTERM first, and SIGKILL after this time; SIGKILL at once
 *     when absent
 */
public record CommandTerminateParams(CommandFamily family, String id, OptionalLong graceMs) implements JsonWritable {

    /** Errors are those of {@link ParamsReader}. */
    public static CommandTerminateParams read(CommandFamily family, JsonSlice params, Dialect dialect) {
        ParamsReader in = ParamsReader.of(params, "CommandExecTerminateParams");
        String id = null;
        OptionalLong graceMs = OptionalLong.empty();
        while (in.next()) {
            if (in.name().equals(family.idMember())) {
                id = in.string();
            } else if (in.name().equals("graceMs") && dialect.open()) {
                graceMs = in.u64OrNull();
            }
        }
        return new CommandTerminateParams(family, in.required(family.idMember(), id), graceMs);
    }

    @Override
    public void writeTo(JsonGenerator g) throws IOException {
        g.writeStartObject();
        g.writeStringField(family.idMember(), id);
        JsonFields.ifPresent(g, "graceMs", graceMs);
        g.writeEndObject();
    }
}
