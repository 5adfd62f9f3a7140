package dev.execserver.protocol.process;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.execserver.protocol.rpc.JsonWritable;
import dev.execserver.protocol.rpc.ParamsReader;
import java.io.IOException;

/** Size of a terminal in characters, each 1 to 65535. */
public record TerminalSize(int cols, int rows) implements JsonWritable {

    /** Size of every terminal in the reference server. */
    public static final TerminalSize DEFAULT = new TerminalSize(80, 24);

    static final int MAX = 65_535;

    static TerminalSize read(ParamsReader in) {
        Integer cols = null;
        Integer rows = null;
        while (in.next()) {
            switch (in.name()) {
                case "cols" -> cols = dimension(in);
                case "rows" -> rows = dimension(in);
                default -> {}
            }
        }
        return new TerminalSize(in.required("cols", cols), in.required("rows", rows));
    }

    static int dimension(ParamsReader in) {
        return in.integer(1, MAX, "an integer from 1 to " + MAX);
    }

    @Override
    public void writeTo(JsonGenerator g) throws IOException {
        g.writeStartObject();
        g.writeNumberField("cols", cols);
        g.writeNumberField("rows", rows);
        g.writeEndObject();
    }
}
