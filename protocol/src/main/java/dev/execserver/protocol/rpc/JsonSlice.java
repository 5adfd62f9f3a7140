package dev.execserver.protocol.rpc;

import com.fasterxml.jackson.core.JsonParser;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Objects;

/**
 * The bytes of one JSON value inside a received message; nothing is copied, so the message must stay unchanged while a
 * slice of it is in use. Slices that {@link EnvelopeDecoder} made are known to be well-formed. Immutable, provided
 * nobody writes to {@link #buffer()}; two slices are equal when their bytes are.
 */
public final class JsonSlice {

    /** The value {@code null}; stands for absent params. */
    public static final JsonSlice NULL = of("null");

    private final byte[] buffer;
    private final int offset;
    private final int length;

    JsonSlice(byte[] buffer, int offset, int length) {
        Objects.checkFromIndexSize(offset, length, buffer.length);
        this.buffer = buffer;
        this.offset = offset;
        this.length = length;
    }

    /** A slice over the text of one JSON value. The caller answers for its syntax. */
    public static JsonSlice of(String json) {
        byte[] bytes = json.getBytes(StandardCharsets.UTF_8);
        return new JsonSlice(bytes, 0, bytes.length);
    }

    /** A slice over the bytes of one JSON value, not copied. The caller answers for its syntax. */
    public static JsonSlice of(byte[] buffer, int offset, int length) {
        return new JsonSlice(buffer, offset, length);
    }

    /**
     * One whole JSON value from somebody who need not be trusted, whatever its size.
     *
     * @throws MalformedMessageException when it is no JSON, or more than one value
     */
    public static JsonSlice parse(byte[] buffer, int offset, int length) throws MalformedMessageException {
        JsonScanner scanner = new JsonScanner(buffer, offset, length);
        while (scanner.next() != JsonToken.END) {
            // every token is looked at
        }
        return of(buffer, offset, length);
    }

    /** The message, or a private copy of the value; not to be written to. */
    public byte[] buffer() {
        return buffer;
    }

    public int offset() {
        return offset;
    }

    /** Length in bytes, without surrounding white space. */
    public int length() {
        return length;
    }

    public boolean isNull() {
        // No other JSON value starts with n.
        return length == 4 && buffer[offset] == 'n';
    }

    /**
     * A new Jackson parser over the value, positioned before its first token, for values that {@link ParamsReader} does
     * not suit. To be closed. Costs a table of names of its own, see {@link JsonScanner}; not for the hot path, nor for
     * objects with a thousand names.
     */
    public JsonParser parser() {
        try {
            return Json.newFactory().createParser(buffer, offset, length);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The same value in an array of its own, so that a large message need not stay in memory for a small part of it. */
    public JsonSlice detached() {
        return new JsonSlice(Arrays.copyOfRange(buffer, offset, offset + length), 0, length);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof JsonSlice that
                && Arrays.equals(buffer, offset, offset + length, that.buffer, that.offset, that.offset + that.length);
    }

    @Override
    public int hashCode() {
        int hash = 1;
        for (int i = offset; i < offset + length; i++) {
            hash = 31 * hash + buffer[i];
        }
        return hash;
    }

    /** The JSON text. */
    @Override
    public String toString() {
        return new String(buffer, offset, length, StandardCharsets.UTF_8);
    }
}
