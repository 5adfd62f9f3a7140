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
 * Params of the notification {@code process/exited}. Output of the process may still follow.
 *
 * @param exitCode exit status; 128+N after signal N (1 for a process on a terminal); -1 when it is unknown
 * @param sandboxDenied absent from servers of older releases; this server always sends it
 * @param reason addition: {@code timeout}, {@code idle}, ... when the server ended the process by itself
 * @param details further additions
 */
public record ExitedNotification(
        String processId,
        long seq,
        int exitCode,
        Optional<Boolean> sandboxDenied,
        Optional<String> reason,
        ExitDetails details)
        implements JsonWritable {

    public ExitedNotification(String processId, long seq, int exitCode, boolean sandboxDenied) {
        this(processId, seq, exitCode, Optional.of(sandboxDenied), Optional.empty());
    }

    /** Makes a notification without details. */
    public ExitedNotification(
            String processId, long seq, int exitCode, Optional<Boolean> sandboxDenied, Optional<String> reason) {
        this(processId, seq, exitCode, sandboxDenied, reason, ExitDetails.NONE);
    }

    /** Errors are those of {@link ParamsReader}. */
    public static ExitedNotification read(JsonSlice params, Dialect dialect) {
        ParamsReader in = ParamsReader.of(params, "ExecExitedNotification");
        String processId = null;
        Long seq = null;
        Integer exitCode = null;
        Optional<Boolean> sandboxDenied = Optional.empty();
        Optional<String> reason = Optional.empty();
        ExitDetails details = ExitDetails.NONE;
        while (in.next()) {
            switch (in.name()) {
                case "processId" -> processId = in.string();
                case "seq" -> seq = in.u64();
                case "exitCode" -> exitCode = in.i32();
                case "sandboxDenied" -> sandboxDenied = in.boolOrNull();
                case "reason" -> reason = in.stringOrNull();
                default -> details = details.read(in);
            }
        }
        return new ExitedNotification(
                in.required("processId", processId),
                in.required("seq", seq),
                in.required("exitCode", exitCode),
                sandboxDenied,
                reason,
                details);
    }

    @Override
    public void writeTo(JsonGenerator g) throws IOException {
        g.writeStartObject();
        g.writeStringField("processId", processId);
        g.writeNumberField("seq", seq);
        g.writeNumberField("exitCode", exitCode);
        if (sandboxDenied.isPresent()) {
            g.writeBooleanField("sandboxDenied", sandboxDenied.get());
        }
        JsonFields.ifPresent(g, "reason", reason);
        details.writeMembers(g);
        g.writeEndObject();
    }
}
