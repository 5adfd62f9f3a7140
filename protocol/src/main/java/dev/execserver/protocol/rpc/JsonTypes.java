package dev.execserver.protocol.rpc;

import com.fasterxml.jackson.core.JsonParser;
import java.io.IOException;

/** Values named in error texts as the reference names them. */
final class JsonTypes {

    /** Strings are quoted in error texts up to this many chars. */
    static final int SHOWN = 120;

    private JsonTypes() {}

    /** The current value: {@code null}, {@code boolean `true`}, {@code integer `5`}, {@code string "x"}, {@code map}. */
    static String describe(JsonParser parser) throws IOException {
        return switch (parser.currentToken()) {
            case VALUE_NULL -> "null";
            case VALUE_TRUE -> "boolean `true`";
            case VALUE_FALSE -> "boolean `false`";
            case VALUE_NUMBER_INT ->
                parser.getNumberType() == JsonParser.NumberType.BIG_INTEGER
                        ? "floating point `" + shortened(parser.getText()) + "`"
                        : "integer `" + parser.getText() + "`";
            case VALUE_NUMBER_FLOAT -> "floating point `" + shortened(parser.getText()) + "`";
            case VALUE_STRING -> "string " + quoted(shortened(parser.getText()));
            case START_ARRAY -> "sequence";
            default -> "map";
        };
    }

    /** Long texts are cut, so that an error is never larger than the request was. */
    static String shortened(String text) {
        return text.length() <= SHOWN ? text : text.substring(0, SHOWN) + "...";
    }

    private static String quoted(String text) {
        return '"' + text.replace("\\", "\\\\").replace("\"", "\\\"").replace("\n", "\\n") + '"';
    }

    /** Length in bytes of the string, number or word that starts at an offset of the slice's buffer. */
    static int scalarLength(JsonSlice source, int start) {
        byte[] buffer = source.buffer();
        int limit = source.offset() + source.length();
        int end = start;
        if (buffer[start] == '"') {
            end = RawString.quoteOrBackslash(buffer, start + 1, limit);
            while (buffer[end] != '"') {
                end = RawString.quoteOrBackslash(buffer, end + 2, limit);
            }
            return end + 1 - start;
        }
        while (end < limit && !SyntaxErrors.isSpace(buffer[end]) && ",]}".indexOf(buffer[end]) < 0) {
            end++;
        }
        return end - start;
    }
}
