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
 * @param signal {@code interrupt}; in the open dialect also a signal's name in any letter case with or without SIG, as
 *     it was given. Whether there is such a signal is for the server to say
 * @param foreground an addition, read in the open dialect only: true for the job in the foreground of the process's terminal
 *     instead of the group that the process leads; written only when true
 */
public record SignalParams(String processId, String signal, boolean foreground) implements JsonWritable {

    /** The one name that the reference knows: SIGINT. */
    public static final String INTERRUPT = "interrupt";

    /** To the group that the process leads. */
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
