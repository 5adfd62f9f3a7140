package dev.execserver.protocol.rpc;

/** Tokens of {@link JsonScanner}. */
enum JsonToken {
    START_OBJECT,
    END_OBJECT,
    START_ARRAY,
    END_ARRAY,
    /** Name of a member; its value is the next token. */
    NAME,
    STRING,
    /** A number without fraction and exponent. */
    INTEGER,
    FRACTION,
    TRUE,
    FALSE,
    NULL,
    /** The end of the text, after the root value. */
    END;

    boolean opens() {
        return this == START_OBJECT || this == START_ARRAY;
    }
}
