package dev.execserver.server.rules.starlark;

/**
 * Smallest part of a program.
 *
 * @param text as it stands in the source; of strings the value
 * @param value of a number, else null
 */
record Token(Kind kind, String text, Object value, Span span) {
    enum Kind {
        NAME,
        KEYWORD,
        RESERVED,
        SYMBOL,
        INT,
        FLOAT,
        STRING,
        BYTES,
        FORMATTED,
        NEW_LINE,
        INDENT,
        DEDENT,
        END
    }

    boolean is(String symbolOrKeyword) {
        return (kind == Kind.SYMBOL || kind == Kind.KEYWORD) && text.equals(symbolOrKeyword);
    }

    /** Returns the words for "unexpected ...". */
    String described() {
        return switch (kind) {
            case NAME -> "identifier '" + text + "'";
            case KEYWORD, RESERVED -> "keyword '" + text + "'";
            case SYMBOL -> "symbol '" + text + "'";
            case INT -> "integer literal";
            case FLOAT -> "float literal";
            case STRING -> "string literal";
            case BYTES -> "bytes literal";
            case FORMATTED -> "f-string";
            case NEW_LINE -> "new line";
            case INDENT -> "new indentation block";
            case DEDENT -> "end of indentation block";
            case END -> "end of file";
        };
    }
}
