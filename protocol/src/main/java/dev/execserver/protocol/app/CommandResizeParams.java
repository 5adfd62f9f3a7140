package dev.execserver.protocol.app;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.execserver.protocol.rpc.JsonSlice;
import dev.execserver.protocol.rpc.JsonWritable;
import dev.execserver.protocol.rpc.ParamsReader;
import java.io.IOException;

/** Params of {@code command/exec/resize} and {@code process/resizePty}. */
public record CommandResizeParams(CommandFamily family, String id, CommandSize size) implements JsonWritable {

    /** Errors are those of {@link ParamsReader}. */
    public static CommandResizeParams read(CommandFamily family, JsonSlice params) {
        ParamsReader in = ParamsReader.of(params, "CommandExecResizeParams");
        String id = null;
        CommandSize size = null;
        while (in.next()) {
            if (in.name().equals("size")) {
                size = in.struct("CommandExecTerminalSize", CommandSize::read);
            } else if (in.name().equals(family.idMember())) {
                id = in.string();
            }
        }
        return new CommandResizeParams(family, in.required(family.idMember(), id), in.required("size", size));
    }

    @Override
    public void writeTo(JsonGenerator g) throws IOException {
        g.writeStartObject();
        g.writeStringField(family.idMember(), id);
        g.writeFieldName("size");
        size.writeTo(g);
        g.writeEndObject();
    }
}
