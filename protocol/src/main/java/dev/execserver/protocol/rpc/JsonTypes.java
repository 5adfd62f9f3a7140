package dev.execserver.protocol.rpc;

/** Values named in error texts as the reference names them. */
final class JsonTypes {

    /** Strings are quoted in error texts up to this many chars. */
    static final int SHOWN = 120;

    private JsonTypes() {}

    /** The current value: {@code null}, {@code boolean `true`}, {@code integer `5`}, {@code string "x"}, {@code map}. */
    static String describe(JsonScanner scanner) {
        return switch (scanner.token()) {
            case NULL -> "null";
            case TRUE -> "boolean `true`";
            case FALSE -> "boolean `false`";
            case INTEGER -> integer(text(scanner));
            case FRACTION -> "floating point `" + shortened(text(scanner)) + "`";
            case STRING -> "string " + quoted(shortened(text(scanner)));
            case START_ARRAY -> "sequence";
            default -> "map";
        };
    }

    /** Long texts are cut, so that an error is never larger than the request was. */
    static String shortened(String text) {
        return text.length() <= SHOWN ? text : text.substring(0, SHOWN) + "...";
    }

    /** The reference reads what fits neither i64 nor u64 as a floating point number. */
    private static String integer(String text) {
        boolean fits = JsonNumbers.signed(text).isPresent() || JsonNumbers.isUnsigned(text);
        return (fits ? "integer `" : "floating point `") + shortened(text) + "`";
    }

    private static String text(JsonScanner scanner) {
        try {
            return scanner.text();
        } catch (MalformedMessageException e) {
            return e.getMessage();
        }
    }

    private static String quoted(String text) {
        return '"' + text.replace("\\", "\\\\").replace("\"", "\\\"").replace("\n", "\\n") + '"';
    }
}
