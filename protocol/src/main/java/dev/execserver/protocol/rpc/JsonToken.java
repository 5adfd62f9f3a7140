package dev.execserver.protocol.rpc;

/** What {@link JsonScanner} steps over. */
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
    /** Behind the root value. */
    END;

    boolean opens() {
        return this == START_OBJECT || this == START_ARRAY;
    }
}
