package dev.execserver.protocol.process;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.execserver.protocol.rpc.Dialect;
import dev.execserver.protocol.rpc.DirectWritable;
import dev.execserver.protocol.rpc.JsonFields;
import dev.execserver.protocol.rpc.JsonSlice;
import dev.execserver.protocol.rpc.MessageBuffer;
import dev.execserver.protocol.rpc.ParamsReader;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * Result of {@code process/read}.
 *
 * @param chunks ascending by {@code seq}
 * @param nextSeq one more than what the next read should give as {@code afterSeq}
 * @param exitCode present when {@code exited}
 * @param closed exited and all output ended
 * @param failure clients treat a text here as the end of the process
 * @param dropped addition, written only when output behind {@code afterSeq} is gone
 * @param reason addition, as in {@link ExitedNotification}
 * @param details further additions about the exit
 */
public record ReadResult(
        List<OutputChunk> chunks,
        long nextSeq,
        boolean exited,
        OptionalInt exitCode,
        boolean closed,
        Optional<String> failure,
        boolean sandboxDenied,
        Optional<Dropped> dropped,
        Optional<String> reason,
        ExitDetails details)
        implements DirectWritable {

    /**
     * Output that is no longer retained.
     *
     * @param firstSeq number of the first chunk that still is; the wire's {@code firstSeq}
     * @param bytes decoded bytes that are gone; the wire's {@code droppedBytes}
     */
    public record Dropped(long firstSeq, long bytes) {}

    /** What the members beside the chunks and the reason take, the end of the message included. */
    private static final int SYNTAX_BYTES = 256;

    /**
     * Upper bound of the message that has these chunks.
     *
     * @param chunks their number
     * @param bytes what they hold in all
     */
    public static long encodedBytes(int chunks, long bytes) {
        return SYNTAX_BYTES + chunks * (OutputChunk.SYNTAX_BYTES + 4L) + MessageBuffer.base64Length(bytes);
    }

    public ReadResult {
        chunks = List.copyOf(chunks);
    }

    /** Without a reason and details. */
    public ReadResult(
            List<OutputChunk> chunks,
            long nextSeq,
            boolean exited,
            OptionalInt exitCode,
            boolean closed,
            Optional<String> failure,
            boolean sandboxDenied,
            Optional<Dropped> dropped) {
        this(
                chunks,
                nextSeq,
                exited,
                exitCode,
                closed,
                failure,
                sandboxDenied,
                dropped,
                Optional.empty(),
                ExitDetails.NONE);
    }

    /** Errors are those of {@link ParamsReader}. */
    public static ReadResult read(JsonSlice result, Dialect dialect) {
        ParamsReader in = ParamsReader.of(result, "ReadResponse");
        return ReadResultReader.read(in);
    }

    @Override
    public void writeDirect(MessageBuffer out) {
        long bytes = chunks.stream().mapToLong(OutputChunk::length).sum();
        out.expect(encodedBytes(chunks.size(), bytes));
        out.ascii("{\"chunks\":[");
        for (int i = 0; i < chunks.size(); i++) {
            if (i > 0) {
                out.write(',');
            }
            chunks.get(i).writeDirect(out);
        }
        out.ascii("],\"nextSeq\":");
        out.number(nextSeq);
        out.ascii(",\"exited\":");
        out.bool(exited);
        out.ascii(",\"exitCode\":");
        if (exitCode.isPresent()) {
            out.number(exitCode.getAsInt());
        } else {
            out.ascii("null");
        }
        out.ascii(",\"closed\":");
        out.bool(closed);
        out.ascii(",\"failure\":");
        failure.ifPresentOrElse(out::string, () -> out.ascii("null"));
        out.ascii(",\"sandboxDenied\":");
        out.bool(sandboxDenied);
        dropped.ifPresent(gone -> {
            out.ascii(",\"firstSeq\":");
            out.number(gone.firstSeq());
            out.ascii(",\"droppedBytes\":");
            out.number(gone.bytes());
        });
        reason.ifPresent(why -> {
            out.ascii(",\"reason\":");
            out.string(why);
        });
        details.writeMembers(out);
        out.write('}');
    }

    @Override
    public void writeTo(JsonGenerator g) throws IOException {
        g.writeStartObject();
        g.writeArrayFieldStart("chunks");
        for (OutputChunk chunk : chunks) {
            chunk.writeTo(g);
        }
        g.writeEndArray();
        g.writeNumberField("nextSeq", nextSeq);
        g.writeBooleanField("exited", exited);
        JsonFields.orNull(g, "exitCode", exitCode);
        g.writeBooleanField("closed", closed);
        JsonFields.orNull(g, "failure", failure);
        g.writeBooleanField("sandboxDenied", sandboxDenied);
        if (dropped.isPresent()) {
            g.writeNumberField("firstSeq", dropped.get().firstSeq());
            g.writeNumberField("droppedBytes", dropped.get().bytes());
        }
        JsonFields.ifPresent(g, "reason", reason);
        details.writeMembers(g);
        g.writeEndObject();
    }
}
