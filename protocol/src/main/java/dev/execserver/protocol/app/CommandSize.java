package dev.execserver.protocol.app;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.execserver.protocol.rpc.JsonWritable;
import dev.execserver.protocol.rpc.ParamsReader;
import java.io.IOException;

/** Size of a terminal in characters. Zero is read here and refused later, as in the reference server. */
public record CommandSize(int rows, int cols) implements JsonWritable {

    private static final int MAX = 65_535;

    public CommandSize {
        if (rows < 0 || rows > MAX || cols < 0 || cols > MAX) {
            throw new IllegalArgumentException(rows + " x " + cols);
        }
    }

    static CommandSize read(ParamsReader in) {
        Integer rows = null;
        Integer cols = null;
        while (in.next()) {
            switch (in.name()) {
                case "rows" -> rows = in.integer(0, MAX, "u16");
                case "cols" -> cols = in.integer(0, MAX, "u16");
                default -> {}
            }
        }
        return new CommandSize(in.required("rows", rows), in.required("cols", cols));
    }

    /** Returns true if the terminal would have no room. */
    public boolean empty() {
        return rows == 0 || cols == 0;
    }

    @Override
    public void writeTo(JsonGenerator g) throws IOException {
        g.writeStartObject();
        g.writeNumberField("rows", rows);
        g.writeNumberField("cols", cols);
        g.writeEndObject();
    }
}
