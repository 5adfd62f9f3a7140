package dev.execserver.protocol.rpc;

/** Descriptions of values in error texts, in the words of the reference server. */
final class JsonTypes {

    /** Most characters of a string in an error text. */
    static final int SHOWN = 120;

    private JsonTypes() {}

    /**
     * Returns a description of the current value: {@code null}, {@code boolean `true`}, {@code integer `5`},
     * {@code string "x"}, {@code map}.
     */
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

    /** Cuts long texts, so that an error is never larger than the request was. */
    static String shortened(String text) {
        return text.length() <= SHOWN ? text : text.substring(0, SHOWN) + "...";
    }

    /**
     * Returns a description of an integer. The reference server reads a number that fits neither i64 nor u64 as
     * floating point.
     */
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
