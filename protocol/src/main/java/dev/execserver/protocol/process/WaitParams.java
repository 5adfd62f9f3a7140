package dev.execserver.protocol.process;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.execserver.protocol.rpc.Dialect;
import dev.execserver.protocol.rpc.JsonFields;
import dev.execserver.protocol.rpc.JsonSlice;
import dev.execserver.protocol.rpc.JsonWritable;
import dev.execserver.protocol.rpc.ParamsReader;
import java.io.IOException;
import java.util.Optional;

/**
 * Params of {@code process/wait}, an addition.
 *
 * @param processId a process of the session
 * @param sessionId id of another session of the same principal, if the process is there; absent for the own session
 * @param until the condition
 * @param afterSeq output after this number is looked at for {@code text} and {@code regex}; 0 when absent
 * @param limitMs longest time to wait; 60,000 when absent
 */
public record WaitParams(String processId, Optional<String> sessionId, WaitCondition until, long afterSeq, long limitMs)
        implements JsonWritable {

    /** Time limit of a wait that names none. */
    public static final long DEFAULT_LIMIT_MS = 60_000;

    /** Errors are those of {@link ParamsReader}. */
    public static WaitParams read(JsonSlice params, Dialect dialect) {
        ParamsReader in = ParamsReader.of(params, "WaitParams");
        String processId = null;
        Optional<String> sessionId = Optional.empty();
        WaitCondition until = null;
        long afterSeq = 0;
        long limitMs = DEFAULT_LIMIT_MS;
        while (in.next()) {
            switch (in.name()) {
                case "processId" -> processId = in.string();
                case "sessionId" -> sessionId = in.stringOrNull();
                case "until" -> until = in.struct("WaitCondition", WaitCondition::read);
                case "afterSeq" -> afterSeq = in.u64OrNull().orElse(0);
                case "limitMs" -> limitMs = in.u64OrNull().orElse(DEFAULT_LIMIT_MS);
                default -> {}
            }
        }
        return new WaitParams(
                in.required("processId", processId), sessionId, in.required("until", until), afterSeq, limitMs);
    }

    @Override
    public void writeTo(JsonGenerator g) throws IOException {
        g.writeStartObject();
        g.writeStringField("processId", processId);
        JsonFields.ifPresent(g, "sessionId", sessionId);
        g.writeFieldName("until");
        until.writeTo(g);
        g.writeNumberField("afterSeq", afterSeq);
        g.writeNumberField("limitMs", limitMs);
        g.writeEndObject();
    }
}
