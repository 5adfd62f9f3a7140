package dev.execserver.protocol.environment;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.execserver.protocol.rpc.JsonWritable;
import dev.execserver.protocol.rpc.ParamsReader;
import java.io.IOException;

/**
 * The shell of the host's user.
 *
 * @param name {@code bash}, {@code zsh}, {@code sh}, {@code powershell} or {@code cmd}
 * @param path native path, not a URI
 */
public record ShellInfo(String name, String path) implements JsonWritable {

    static ShellInfo read(ParamsReader in) {
        String name = null;
        String path = null;
        while (in.next()) {
            switch (in.name()) {
                case "name" -> name = in.string();
                case "path" -> path = in.string();
                default -> {}
            }
        }
        return new ShellInfo(in.required("name", name), in.required("path", path));
    }

    @Override
    public void writeTo(JsonGenerator g) throws IOException {
        g.writeStartObject();
        g.writeStringField("name", name);
        g.writeStringField("path", path);
        g.writeEndObject();
    }
}
