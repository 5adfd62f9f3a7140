package dev.execserver.protocol.rpc;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * The bytes of one JSON value inside a received message. Nothing is copied, so the message must stay unchanged while a
 * slice of it is in use. Slices that {@link EnvelopeDecoder} made are well-formed. Immutable, provided that the message
 * is not modified. Two slices are equal when their bytes are.
 */
public final class JsonSlice implements DirectWritable {

    /** The value {@code null}, which stands for absent params. */
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

    /** Makes a slice from the text of one JSON value. The caller guarantees its syntax. */
    public static JsonSlice of(String json) {
        byte[] bytes = json.getBytes(StandardCharsets.UTF_8);
        return of(bytes, 0, bytes.length);
    }

    /** Makes a slice from the bytes of one JSON value, which are not copied. The caller guarantees its syntax. */
    public static JsonSlice of(byte[] buffer, int offset, int length) {
        return new JsonSlice(buffer, offset, length, LongStrings.NONE);
    }

    /**
     * Checks one complete JSON value from an untrusted source, of any size.
     *
     * @throws MalformedMessageException when it is not JSON, or more than one value
     */
    public static JsonSlice parse(byte[] buffer, int offset, int length) throws MalformedMessageException {
        JsonSlice slice = of(buffer, offset, length);
        JsonScanner scanner = slice.scanner();
        while (scanner.next() != JsonToken.END) {
            // the scanner checks every token
        }
        return slice;
    }

    JsonScanner scanner() {
        return new JsonScanner(buffer, offset, length, longStrings);
    }

    /** Returns another value of the same message, between two indices of its text. */
    JsonSlice sibling(int from, int to) {
        return new JsonSlice(buffer, from, to - from, longStrings);
    }

    /** Returns the text around the value, for strings that are completely inside it. */
    byte[] buffer() {
        return buffer;
    }

    /** Returns the first character, which tells the type: <code>{</code>, {@code [}, a quote, a digit and so on. */
    public byte first() {
        return buffer[offset];
    }

    /** Returns the members of an object in their order; none of another value. */
    public Map<String, JsonSlice> members() {
        Map<String, JsonSlice> members = new LinkedHashMap<>();
        if (first() == '{') {
            ParamsReader in = ParamsReader.of(this, "object");
            while (in.next()) {
                String name = in.name();
                members.put(name, in.slice());
            }
        }
        return members;
    }

    /** Returns the elements of an array; none of another value. */
    public List<JsonSlice> elements() {
        return first() == '[' ? new ParamsReader(this).slices() : List.of();
    }

    /** Returns the elements of an array of strings. Errors are those of {@link ParamsReader}. */
    public List<String> strings() {
        return new ParamsReader(this).strings();
    }

    /** Returns the length in bytes, without surrounding white space. */
    public int length() {
        return length + longStrings.missing(offset, offset + length);
    }

    public boolean isNull() {
        // No other JSON value starts with n.
        return length == 4 && buffer[offset] == 'n';
    }

    /** Returns true if the text contains these bytes. Long strings that were removed from the text are not searched. */
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
     * Makes a Jackson parser for the value, positioned before its first token, for values that {@link ParamsReader}
     * cannot read. The caller closes it. It costs a table of names of its own, see {@link JsonScanner}: do not use it
     * on the hot path or for objects with a thousand names.
     */
    public JsonParser parser() {
        try {
            JsonSlice whole = whole();
            return Json.newFactory().createParser(whole.buffer, whole.offset, whole.length);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Returns the same value in its own array, so that a small part does not keep a large message in memory. */
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

    /** Returns the same value as one range of one array. */
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

    /** Returns the JSON text. */
    @Override
    public String toString() {
        JsonSlice whole = whole();
        return new String(whole.buffer, whole.offset, whole.length, StandardCharsets.UTF_8);
    }
}
