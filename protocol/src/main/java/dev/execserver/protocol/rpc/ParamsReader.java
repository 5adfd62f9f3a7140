package dev.execserver.protocol.rpc;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.function.Function;

/**
 * Reads one object member by member: {@code while (in.next()) switch (in.name()) { case "x" -> x = in.string(); ... }}.
 * A member that is not read is skipped, so unknown ones are ignored. Every failure is an {@link RpcException} with code
 * {@link ErrorCodes#INVALID_PARAMS} in the words of the reference server
 * ({@code invalid type: null, expected a string}).
 *
 * <p>Methods ending in {@code OrNull} treat null as absent. Strings may contain NUL here. One thread.
 */
public final class ParamsReader {

    /** Longest string in bytes that is not Base64. Several copies of each string exist while it is processed. */
    public static final int MAX_STRING_BYTES = 16 * 1024 * 1024;

    private final JsonSlice source;
    private final JsonScanner scanner;

    ParamsReader(JsonSlice source) {
        this.source = source;
        this.scanner = source.scanner();
    }

    /** Makes a reader for an object. Anything else fails with {@code expected struct NAME}. */
    public static ParamsReader of(JsonSlice value, String structName) {
        ParamsReader reader = new ParamsReader(value);
        reader.enter(reader.advance(), structName);
        return reader;
    }

    /** Steps to the next member. Returns false at the end of the object. */
    public boolean next() {
        if (scanner.token() == JsonToken.NAME) {
            advance();
            skipValue();
        }
        return advance() == JsonToken.NAME;
    }

    /** Returns the name of the current member. Call it before the value is read. */
    public String name() {
        return text();
    }

    /** Returns the value of a member without a default, or throws that it is missing. */
    public <T> T required(String member, T valueOrNull) {
        if (valueOrNull == null) {
            throw missing(member);
        }
        return valueOrNull;
    }

    /** Returns the error {@code missing field `member`}. */
    public static RpcException missing(String member) {
        return RpcException.invalidParams("missing field `" + member + "`");
    }

    public String string() {
        return string(advance());
    }

    public Optional<String> stringOrNull() {
        return orNull(this::string);
    }

    /** Reads a string and skips any other value, for members that a reader need not understand. */
    public Optional<String> stringOrSkip() {
        if (advance() == JsonToken.STRING) {
            return Optional.of(text());
        }
        skipValue();
        return Optional.empty();
    }

    public boolean bool() {
        return bool(advance());
    }

    public Optional<Boolean> boolOrNull() {
        return orNull(this::bool);
    }

    /** Reads an unsigned 64-bit integer. Larger values become {@link Long#MAX_VALUE}; no counter reaches it. */
    public long u64() {
        return unsigned(advance(), "u64");
    }

    /** Reads the same as {@link #u64()}, or null. */
    public OptionalLong u64OrNull() {
        return optional("u64");
    }

    /** Reads the same as {@link #u64OrNull()}, with another type name in the errors, as in the reference server. */
    public OptionalLong usizeOrNull() {
        return optional("usize");
    }

    public long usize() {
        return unsigned(advance(), "usize");
    }

    public long i64() {
        return signed(advance());
    }

    public OptionalLong i64OrNull() {
        JsonToken token = advance();
        return token == JsonToken.NULL ? OptionalLong.empty() : OptionalLong.of(signed(token));
    }

    public int i32() {
        return signed32(advance());
    }

    public OptionalInt i32OrNull() {
        JsonToken token = advance();
        return token == JsonToken.NULL ? OptionalInt.empty() : OptionalInt.of(signed32(token));
    }

    /** Reads an unsigned integer in a range that includes both ends. */
    public int integer(int min, int max, String typeName) {
        return integer(advance(), min, max, typeName);
    }

    /** Reads an array of such integers. */
    public List<Integer> integers(int min, int max, String typeName) {
        return list(token -> integer(token, min, max, typeName));
    }

    private int integer(JsonToken token, int min, int max, String typeName) {
        long value = unsigned(token, typeName);
        if (value < min || value > max) {
            throw invalidValue(value, typeName);
        }
        return (int) value;
    }

    /** Reads an array of strings. */
    public List<String> strings() {
        return list(this::string);
    }

    /** Reads an array whose elements are strings or arrays of strings. A string becomes a list of one. */
    public List<List<String>> stringsOrLists() {
        return list(token -> token == JsonToken.STRING ? List.of(text()) : list(token, this::string));
    }

    /** Reads an array of arrays of strings. */
    public List<List<String>> stringLists() {
        return list(token -> list(token, this::string));
    }

    public Optional<List<String>> stringsOrNull() {
        return orNull(token -> list(token, this::string));
    }

    /** Reads an array of any values. */
    public List<JsonSlice> slices() {
        return list(this::slice);
    }

    /** Reads an array of objects. */
    public <T> List<T> structs(String structName, Function<ParamsReader, T> reader) {
        return list(token -> struct(token, structName, reader));
    }

    /** Reads an object of strings, and keeps its order. */
    public Map<String, String> stringMap() {
        if (advance() != JsonToken.START_OBJECT) {
            throw wrongType("a map");
        }
        Map<String, String> map = new LinkedHashMap<>();
        while (next()) {
            map.put(name(), string());
        }
        return Collections.unmodifiableMap(map);
    }

    /** Reads an object of strings and nulls, or null. A null value becomes an empty one. */
    public Optional<Map<String, Optional<String>>> nullableStringMapOrNull() {
        return orNull(token -> {
            if (token != JsonToken.START_OBJECT) {
                throw wrongType("a map");
            }
            Map<String, Optional<String>> map = new LinkedHashMap<>();
            while (next()) {
                map.put(name(), stringOrNull());
            }
            return Collections.unmodifiableMap(map);
        });
    }

    /** Reads an object with {@code reader}, which gets this same reader inside the object. */
    public <T> T struct(String structName, Function<ParamsReader, T> reader) {
        return struct(advance(), structName, reader);
    }

    /** Reads a string, an object or null, for members whose form changed between releases. */
    public <T> Optional<T> stringOrStructOrNull(
            Function<String, T> ofString, String structName, Function<ParamsReader, T> ofStruct) {
        return orNull(
                token -> token == JsonToken.STRING ? ofString.apply(text()) : struct(token, structName, ofStruct));
    }

    public <T> Optional<T> structOrNull(String structName, Function<ParamsReader, T> reader) {
        return orNull(token -> struct(token, structName, reader));
    }

    /** Reads and decodes Base64 from the bytes of the message. No string is built unless the text has escapes. */
    public byte[] base64() {
        return base64("", Dialect.STRICT);
    }

    /** Does the same as {@link #base64()}. In the open dialect the error names the member. */
    public byte[] base64(String member, Dialect dialect) {
        Base64Data data = base64Later(advance());
        try {
            return data.toByteArray();
        } catch (InvalidBase64Exception e) {
            throw e.inParams(member, dialect);
        }
    }

    /** Reads Base64 that the receiver decodes later. The text is not checked yet. */
    public Base64Data base64Later() {
        return base64Later(advance());
    }

    /** Reads the same as {@link #base64Later()}, or null. */
    public Optional<Base64Data> base64LaterOrNull() {
        return orNull(this::base64Later);
    }

    private Base64Data base64Later(JsonToken token) {
        if (token != JsonToken.STRING) {
            throw wrongType("a string");
        }
        if (scanner.longString() != null) {
            return Base64Data.ofLongString(scanner.longString());
        }
        if (!scanner.escaped()) {
            int start = scanner.start() + 1;
            return Base64Data.ofText(source.buffer(), start, scanner.end() - 1 - start);
        }
        return Base64Data.ofText(text());
    }

    /** Returns the bytes of any value. */
    public JsonSlice slice() {
        return slice(advance());
    }

    public Optional<JsonSlice> sliceOrNull() {
        return orNull(this::slice);
    }

    /** Returns the error {@code unknown variant `value`, expected LIST}. */
    public static RpcException unknownVariant(String value, String expected) {
        return RpcException.invalidParams("unknown variant `" + JsonTypes.shortened(value) + "`, expected " + expected);
    }

    private <T> Optional<T> orNull(Function<JsonToken, T> reader) {
        JsonToken token = advance();
        return token == JsonToken.NULL ? Optional.empty() : Optional.of(reader.apply(token));
    }

    private OptionalLong optional(String typeName) {
        JsonToken token = advance();
        return token == JsonToken.NULL ? OptionalLong.empty() : OptionalLong.of(unsigned(token, typeName));
    }

    private <T> List<T> list(Function<JsonToken, T> reader) {
        return list(advance(), reader);
    }

    private <T> List<T> list(JsonToken first, Function<JsonToken, T> reader) {
        if (first != JsonToken.START_ARRAY) {
            throw wrongType("a sequence");
        }
        List<T> elements = new ArrayList<>();
        for (JsonToken token = advance(); token != JsonToken.END_ARRAY; token = advance()) {
            elements.add(reader.apply(token));
        }
        return Collections.unmodifiableList(elements);
    }

    private String string(JsonToken token) {
        if (token != JsonToken.STRING) {
            throw wrongType("a string");
        }
        return text();
    }

    private boolean bool(JsonToken token) {
        return switch (token) {
            case TRUE -> true;
            case FALSE -> false;
            default -> throw wrongType("a boolean");
        };
    }

    private long unsigned(JsonToken token, String typeName) {
        if (token != JsonToken.INTEGER) {
            throw wrongType(typeName);
        }
        String text = text();
        OptionalLong value = JsonNumbers.signed(text);
        if (value.isPresent() && value.getAsLong() < 0) {
            throw invalidValue(value.getAsLong(), typeName);
        }
        if (value.isEmpty() && !JsonNumbers.isUnsigned(text)) {
            throw wrongType(typeName);
        }
        return value.orElse(Long.MAX_VALUE);
    }

    private long signed(JsonToken token) {
        if (token != JsonToken.INTEGER) {
            throw wrongType("i64");
        }
        return JsonNumbers.signed(text()).orElseThrow(() -> wrongType("i64"));
    }

    private int signed32(JsonToken token) {
        long value = signed(token);
        if (value != (int) value) {
            throw invalidValue(value, "i32");
        }
        return (int) value;
    }

    private <T> T struct(JsonToken token, String structName, Function<ParamsReader, T> reader) {
        enter(token, structName);
        T value = reader.apply(this);
        if (scanner.token() != JsonToken.END_OBJECT) {
            throw new IllegalStateException(structName + " was not read to its end");
        }
        return value;
    }

    private JsonSlice slice(JsonToken token) {
        int start = scanner.start();
        skipValue();
        return source.sibling(start, scanner.end());
    }

    private void enter(JsonToken token, String structName) {
        if (token != JsonToken.START_OBJECT) {
            throw wrongType("struct " + structName);
        }
    }

    private RpcException wrongType(String expected) {
        return RpcException.invalidParams("invalid type: " + JsonTypes.describe(scanner) + ", expected " + expected);
    }

    private static RpcException invalidValue(long value, String expected) {
        return RpcException.invalidParams("invalid value: integer `" + value + "`, expected " + expected);
    }

    private JsonToken advance() {
        try {
            return scanner.next();
        } catch (MalformedMessageException e) {
            throw RpcException.invalidParams(e.getMessage());
        }
    }

    private void skipValue() {
        try {
            scanner.skipValue();
        } catch (MalformedMessageException e) {
            throw RpcException.invalidParams(e.getMessage());
        }
    }

    private String text() {
        int bytes = scanner.textLength();
        if (bytes > MAX_STRING_BYTES) {
            throw RpcException.invalidParams(
                    "a string of " + bytes + " bytes is above the limit of " + MAX_STRING_BYTES + " bytes");
        }
        try {
            return scanner.text();
        } catch (MalformedMessageException e) {
            throw RpcException.invalidParams(e.getMessage());
        }
    }
}
