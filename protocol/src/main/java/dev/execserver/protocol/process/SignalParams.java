package dev.execserver.protocol.process;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.execserver.protocol.rpc.Dialect;
import dev.execserver.protocol.rpc.JsonSlice;
import dev.execserver.protocol.rpc.JsonWritable;
import dev.execserver.protocol.rpc.ParamsReader;
import java.io.IOException;

/**
 * Params of {@code process/signal}; the result is an empty object.
 *
 * @param signal {@code interrupt}; in the open dialect also the name of a signal in any letter case, with or without
 *     SIG, unchanged. The server checks that the signal exists
 * @param foreground addition, read in the open dialect only: true signals the foreground job of the process's terminal
 *     instead of the process group of the process; written only when true
 */
public record SignalParams(String processId, String signal, boolean foreground) implements JsonWritable {

    /** The only name in the reference server: SIGINT. */
    public static final String INTERRUPT = "interrupt";

    /** Makes params for the process group of the process. */
    public SignalParams(String processId, String signal) {
        this(processId, signal, false);
    }

    /** Errors are those of {@link ParamsReader}. */
    public static SignalParams read(JsonSlice params, Dialect dialect) {
        ParamsReader in = ParamsReader.of(params, "SignalParams");
        String processId = null;
        String signal = null;
        boolean foreground = false;
        while (in.next()) {
            switch (in.name()) {
                case "processId" -> processId = in.string();
                case "signal" -> signal = signal(in.string(), dialect);
                case "foreground" ->
                    foreground = dialect.open() && in.boolOrNull().orElse(false);
                default -> {}
            }
        }
        return new SignalParams(in.required("processId", processId), in.required("signal", signal), foreground);
    }

    private static String signal(String text, Dialect dialect) {
        if (!dialect.open() && !text.equals(INTERRUPT)) {
            throw ParamsReader.unknownVariant(text, "`" + INTERRUPT + "`");
        }
        return text;
    }

    @Override
    public void writeTo(JsonGenerator g) throws IOException {
        g.writeStartObject();
        g.writeStringField("processId", processId);
        g.writeStringField("signal", signal);
        if (foreground) {
            g.writeBooleanField("foreground", true);
        }
        g.writeEndObject();
    }
}
