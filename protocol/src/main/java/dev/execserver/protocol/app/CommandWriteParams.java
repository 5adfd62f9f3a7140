package dev.execserver.protocol.app;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.execserver.protocol.rpc.Base64Data;
import dev.execserver.protocol.rpc.JsonSlice;
import dev.execserver.protocol.rpc.JsonWritable;
import dev.execserver.protocol.rpc.ParamsReader;
import java.io.IOException;
import java.util.Optional;

/**
 * Params of {@code command/exec/write} and {@code process/writeStdin}.
 *
 * @param id of the command
 * @param delta input, not checked yet
 * @param closeStdin true to end the input behind {@code delta}
 */
public record CommandWriteParams(CommandFamily family, String id, Optional<Base64Data> delta, boolean closeStdin)
        implements JsonWritable {

    /** Errors are those of {@link ParamsReader}. */
    public static CommandWriteParams read(CommandFamily family, JsonSlice params) {
        ParamsReader in = ParamsReader.of(params, "CommandExecWriteParams");
        String id = null;
        Optional<Base64Data> delta = Optional.empty();
        boolean close = false;
        while (in.next()) {
            switch (in.name()) {
                case "deltaBase64" -> delta = in.base64LaterOrNull();
                case "closeStdin" -> close = in.bool();
                default -> id = in.name().equals(family.idMember()) ? in.string() : id;
            }
        }
        return new CommandWriteParams(family, in.required(family.idMember(), id), delta, close);
    }

    @Override
    public void writeTo(JsonGenerator g) throws IOException {
        g.writeStartObject();
        g.writeStringField(family.idMember(), id);
        if (delta.isPresent()) {
            g.writeFieldName("deltaBase64");
            delta.get().writeTo(g);
        }
        if (closeStdin) {
            g.writeBooleanField("closeStdin", true);
        }
        g.writeEndObject();
    }
}
