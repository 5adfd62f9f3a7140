package dev.execserver.protocol.process;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.execserver.protocol.rpc.Dialect;
import dev.execserver.protocol.rpc.JsonFields;
import dev.execserver.protocol.rpc.JsonSlice;
import dev.execserver.protocol.rpc.JsonWritable;
import dev.execserver.protocol.rpc.ParamsReader;
import java.io.IOException;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;

/**
 * Result of {@code process/wait}, an addition.
 *
 * @param met true if the condition came true; false if the time was over, or if it cannot come true any more because the process has ended
 * @param exited true if the process has exited
 * @param exitCode present when {@code exited}
 * @param closed true if the process has exited and its output has ended
 * @param match the text that was found in the output, at most 1,000 characters of it
 * @param seq number of the chunk with which the match was complete
 * @param skippedBytes bytes of output that were not looked at, because they were no longer kept; written only when there are any
 */
public record WaitResult(
        boolean met,
        boolean exited,
        OptionalInt exitCode,
        boolean closed,
        Optional<String> match,
        OptionalLong seq,
        OptionalLong skippedBytes)
        implements JsonWritable {

    /** Errors are those of {@link ParamsReader}. */
    public static WaitResult read(JsonSlice result, Dialect dialect) {
        ParamsReader in = ParamsReader.of(result, "WaitResponse");
        Boolean met = null;
        boolean exited = false;
        OptionalInt exitCode = OptionalInt.empty();
        boolean closed = false;
        Optional<String> match = Optional.empty();
        OptionalLong seq = OptionalLong.empty();
        OptionalLong skippedBytes = OptionalLong.empty();
        while (in.next()) {
            switch (in.name()) {
                case "met" -> met = in.bool();
                case "exited" -> exited = in.bool();
                case "exitCode" -> exitCode = in.i32OrNull();
                case "closed" -> closed = in.bool();
                case "match" -> match = in.stringOrNull();
                case "seq" -> seq = in.u64OrNull();
                case "skippedBytes" -> skippedBytes = in.u64OrNull();
                default -> {}
            }
        }
        return new WaitResult(in.required("met", met), exited, exitCode, closed, match, seq, skippedBytes);
    }

    @Override
    public void writeTo(JsonGenerator g) throws IOException {
        g.writeStartObject();
        g.writeBooleanField("met", met);
        g.writeBooleanField("exited", exited);
        JsonFields.orNull(g, "exitCode", exitCode);
        g.writeBooleanField("closed", closed);
        JsonFields.ifPresent(g, "match", match);
        JsonFields.ifPresent(g, "seq", seq);
        JsonFields.ifPresent(g, "skippedBytes", skippedBytes);
        g.writeEndObject();
    }
}
