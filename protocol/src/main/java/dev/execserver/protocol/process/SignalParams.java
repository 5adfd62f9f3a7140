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
 */
public record SignalParams(String processId, String signal) implements JsonWritable {

    /** The one name that the reference knows: SIGINT. */
    public static final String INTERRUPT = "interrupt";

    /** Errors are those of {@link ParamsReader}. */
    public static SignalParams read(JsonSlice params, Dialect dialect) {
        ParamsReader in = ParamsReader.of(params, "SignalParams");
        String processId = null;
        String signal = null;
        while (in.next()) {
            switch (in.name()) {
                case "processId" -> processId = in.string();
                case "signal" -> signal = signal(in.string(), dialect);
                default -> {}
            }
        }
        return new SignalParams(in.required("processId", processId), in.required("signal", signal));
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
        g.writeEndObject();
    }
}
