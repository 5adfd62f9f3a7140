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
 * @param nextSeq one more than the {@code afterSeq} of the next read
 * @param exitCode present when {@code exited}
 * @param closed true if the process has exited and all output has ended
 * @param failure error text, which clients treat as the end of the process
 * @param dropped addition, written only when output after {@code afterSeq} is no longer retained
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
     * @param firstSeq number of the first chunk that is retained; {@code firstSeq} on the wire
     * @param bytes dropped bytes, decoded; {@code droppedBytes} on the wire
     */
    public record Dropped(long firstSeq, long bytes) {}

    /** Bytes for the members beside the chunks and the reason, including the end of the message. */
    private static final int SYNTAX_BYTES = 256;

    /**
     * Returns an upper bound of the message size in bytes.
     *
     * @param chunks number of chunks
     * @param bytes total bytes of the chunks
     */
    public static long encodedBytes(int chunks, long bytes) {
        return SYNTAX_BYTES + chunks * (OutputChunk.SYNTAX_BYTES + 4L) + MessageBuffer.base64Length(bytes);
    }

    public ReadResult {
        chunks = List.copyOf(chunks);
    }

    /** Makes a result without a reason and details. */
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
        return read(ParamsReader.of(result, "ReadResponse"));
    }

    /** Errors are those of {@link ParamsReader}. */
    public static ReadResult read(ParamsReader in) {
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
