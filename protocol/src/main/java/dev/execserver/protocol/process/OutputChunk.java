package dev.execserver.protocol.process;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.execserver.protocol.rpc.JsonWritable;
import dev.execserver.protocol.rpc.MessageBuffer;
import dev.execserver.protocol.rpc.ParamsReader;
import java.io.IOException;
import java.util.Arrays;
import java.util.Objects;

/**
 * A piece of output: a range of an array that is not copied and must not be written to any more. It may end inside a
 * UTF-8 sequence. Chunks are equal when their numbers, streams and bytes are.
 *
 * @param seq from 1
 */
@SuppressWarnings("ArrayRecordComponent") // this record avoids a copy for each chunk
public record OutputChunk(long seq, StreamKind stream, byte[] buffer, int offset, int length) implements JsonWritable {

    /** Most bytes of a chunk in a message beside its Base64 text. */
    static final int SYNTAX_BYTES = 64;

    public OutputChunk {
        Objects.checkFromIndexSize(offset, length, buffer.length);
    }

    public OutputChunk(long seq, StreamKind stream, byte[] bytes) {
        this(seq, stream, bytes, 0, bytes.length);
    }

    /** Returns a copy of the bytes. */
    public byte[] bytes() {
        return Arrays.copyOfRange(buffer, offset, offset + length);
    }

    static OutputChunk read(ParamsReader in) {
        Long seq = null;
        StreamKind stream = null;
        byte[] bytes = null;
        while (in.next()) {
            switch (in.name()) {
                case "seq" -> seq = in.u64();
                case "stream" -> stream = StreamKind.parse(in.string());
                case "chunk" -> bytes = in.base64();
                default -> {}
            }
        }
        return new OutputChunk(in.required("seq", seq), in.required("stream", stream), in.required("chunk", bytes));
    }

    void writeDirect(MessageBuffer out) {
        out.ascii("{\"seq\":");
        writeMembers(out);
    }

    /** Writes everything from the value of {@code seq} to the closing brace. */
    void writeMembers(MessageBuffer out) {
        out.number(seq);
        out.ascii(",\"stream\":\"");
        out.ascii(stream.wire());
        out.ascii("\",\"chunk\":\"");
        out.base64(buffer, offset, length);
        out.ascii("\"}");
    }

    @Override
    public void writeTo(JsonGenerator g) throws IOException {
        g.writeStartObject();
        writeMembers(g);
        g.writeEndObject();
    }

    void writeMembers(JsonGenerator g) throws IOException {
        g.writeNumberField("seq", seq);
        g.writeStringField("stream", stream.wire());
        g.writeFieldName("chunk");
        g.writeBinary(buffer, offset, length);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof OutputChunk that
                && seq == that.seq
                && stream == that.stream
                && Arrays.equals(buffer, offset, offset + length, that.buffer, that.offset, that.offset + that.length);
    }

    @Override
    public int hashCode() {
        return Objects.hash(seq, stream, Arrays.hashCode(bytes()));
    }

    @Override
    public String toString() {
        return "OutputChunk[seq=" + seq + ", stream=" + stream.wire() + ", " + length + " bytes]";
    }
}
