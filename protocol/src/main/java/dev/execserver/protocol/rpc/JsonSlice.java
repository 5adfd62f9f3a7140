package dev.execserver.protocol.rpc;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Objects;

/**
 * The bytes of one JSON value inside a received message; nothing is copied, so the message must stay unchanged while a
 * slice of it is in use. Slices that {@link EnvelopeDecoder} made are known to be well-formed. Immutable, provided
 * nobody writes to the message; two slices are equal when their bytes are.
 */
public final class JsonSlice implements DirectWritable {

    /** The value {@code null}; stands for absent params. */
    public static final JsonSlice NULL = of("null");

    private final byte[] buffer;
    private final int offset;
    private final int length;
    private final LongStrings longStrings;

    JsonSlice(byte[] buffer, int offset, int length, LongStrings longStrings) {
        Objects.checkFromIndexSize(offset, length, buffer.length);
        this.buffer = buffer;
        this.offset = offset;
        this.length = length;
        this.longStrings = longStrings;
    }

    /** A slice over the text of one JSON value. The caller answers for its syntax. */
    public static JsonSlice of(String json) {
        byte[] bytes = json.getBytes(StandardCharsets.UTF_8);
        return of(bytes, 0, bytes.length);
    }

    /** A slice over the bytes of one JSON value, not copied. The caller answers for its syntax. */
    public static JsonSlice of(byte[] buffer, int offset, int length) {
        return new JsonSlice(buffer, offset, length, LongStrings.NONE);
    }

    /**
     * One whole JSON value from somebody who need not be trusted, whatever its size.
     *
     * @throws MalformedMessageException when it is no JSON, or more than one value
     */
    public static JsonSlice parse(byte[] buffer, int offset, int length) throws MalformedMessageException {
        JsonSlice slice = of(buffer, offset, length);
        JsonScanner scanner = slice.scanner();
        while (scanner.next() != JsonToken.END) {
            // every token is looked at
        }
        return slice;
    }

    JsonScanner scanner() {
        return new JsonScanner(buffer, offset, length, longStrings);
    }

    /** Another value of the same message, between two indices of its text. */
    JsonSlice sibling(int from, int to) {
        return new JsonSlice(buffer, from, to - from, longStrings);
    }

    /** The text around the value, for strings that lie in it whole. */
    byte[] buffer() {
        return buffer;
    }

    byte first() {
        return buffer[offset];
    }

    /** Length in bytes, without surrounding white space. */
    public int length() {
        return length + longStrings.missing(offset, offset + length);
    }

    public boolean isNull() {
        // No other JSON value starts with n.
        return length == 4 && buffer[offset] == 'n';
    }

    /** Returns true if these bytes stand somewhere in the text, long strings left out; cheap. */
    public boolean mentions(byte[] text) {
        int last = offset + length - text.length;
        for (int at = offset; at <= last; at++) {
            if (buffer[at] == text[0] && Arrays.equals(buffer, at, at + text.length, text, 0, text.length)) {
                return true;
            }
        }
        return false;
    }

    /**
     * A new Jackson parser over the value, positioned before its first token, for values that {@link ParamsReader} does
     * not suit. To be closed. Costs a table of names of its own, see {@link JsonScanner}; not for the hot path, nor for
     * objects with a thousand names.
     */
    public JsonParser parser() {
        try {
            JsonSlice whole = whole();
            return Json.newFactory().createParser(whole.buffer, whole.offset, whole.length);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The same value in an array of its own, so that a large message need not stay in memory for a small part of it. */
    public JsonSlice detached() {
        return longStrings.anyBetween(offset, offset + length)
                ? whole()
                : of(Arrays.copyOfRange(buffer, offset, offset + length), 0, length);
    }

    @Override
    public void writeDirect(MessageBuffer out) {
        longStrings.writeTo(out, buffer, offset, offset + length);
    }

    @Override
    public void writeTo(JsonGenerator g) throws IOException {
        g.writeRawValue(toString());
    }

    /** The same value in one range of one array. */
    private JsonSlice whole() {
        if (!longStrings.anyBetween(offset, offset + length)) {
            return this;
        }
        MessageBuffer out = new MessageBuffer(length());
        writeDirect(out);
        return of(out.array(), out.offset(), out.length());
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof JsonSlice that && whole().sameBytes(that.whole());
    }

    private boolean sameBytes(JsonSlice that) {
        return Arrays.equals(buffer, offset, offset + length, that.buffer, that.offset, that.offset + that.length);
    }

    @Override
    public int hashCode() {
        JsonSlice whole = whole();
        int hash = 1;
        for (int i = whole.offset; i < whole.offset + whole.length; i++) {
            hash = 31 * hash + whole.buffer[i];
        }
        return hash;
    }

    /** The JSON text. */
    @Override
    public String toString() {
        JsonSlice whole = whole();
        return new String(whole.buffer, whole.offset, whole.length, StandardCharsets.UTF_8);
    }
}
