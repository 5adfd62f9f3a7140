package dev.execserver.protocol.rpc;

/**
 * Scanner for the tokens of one JSON text (RFC 8259) with the exact bytes of each. Values are decoded on request only.
 * Error texts and positions are those of the reference server. One text, one thread.
 *
 * <p>It replaces Jackson's parser, whose table of names is shared by all parsers of a factory. That parser refused
 * about a thousand names that differ only in some digits as an attack. The table was then damaged, so that messages of
 * other connections failed with an ArrayIndexOutOfBoundsException (jackson-core 2.23.0).
 */
final class JsonScanner {

    /** Longest number in bytes; a u64 has 20. Converting a long number takes quadratic time. */
    static final int MAX_NUMBER_LENGTH = 1000;

    private enum Expect {
        VALUE,
        VALUE_OR_END,
        NAME,
        NAME_OR_END,
        COMMA_OR_END,
        NOTHING
    }

    private final byte[] buffer;
    private final int offset;
    private final int limit;
    private final LongStrings longStrings;
    private final boolean[] objects = new boolean[EnvelopeDecoder.MAX_DEPTH];
    private int depth;
    private Expect expect = Expect.VALUE;
    private JsonToken token;
    private int position;
    private int start;
    private boolean escaped;
    private LongString longString;

    JsonScanner(byte[] buffer, int offset, int length, LongStrings longStrings) {
        this.buffer = buffer;
        this.offset = offset;
        this.limit = offset + length;
        this.position = offset;
        this.longStrings = longStrings;
    }

    /** Returns the current token, or null before the first one. */
    JsonToken token() {
        return token;
    }

    /** Returns the index of the first byte of the current token. */
    int start() {
        return start;
    }

    /** Returns the index after the last byte of the current token. */
    int end() {
        return position;
    }

    /** Returns the number of open arrays and objects, including the one just opened. */
    int depth() {
        return depth;
    }

    /** Returns true if the current string or name contains a backslash. */
    boolean escaped() {
        return escaped;
    }

    /** Returns the current string if it was removed from the text of the message, otherwise null. */
    LongString longString() {
        return longString;
    }

    /** Returns the received bytes of the current string, name or number. */
    int textLength() {
        return longString != null ? longString.length() : position - start;
    }

    /** Returns the decoded string or name, or the text of a number. */
    String text() throws MalformedMessageException {
        if (longString != null) {
            return longString.text();
        }
        return token == JsonToken.STRING || token == JsonToken.NAME
                ? JsonStrings.decode(buffer, start + 1, position - 1, escaped)
                : JsonStrings.decode(buffer, start, position, false);
    }

    JsonToken next() throws MalformedMessageException {
        skipSpace();
        if (expect == Expect.COMMA_OR_END) {
            afterValue();
        }
        if (expect == Expect.NOTHING) {
            return end(position < limit);
        }
        start = position;
        longString = null;
        if (position == limit) {
            throw unexpectedEnd();
        }
        byte b = buffer[position];
        return switch (expect) {
            case NAME, NAME_OR_END -> b == '}' ? close(b) : name(b);
            case VALUE_OR_END -> b == ']' ? close(b) : value(b);
            case COMMA_OR_END -> close(b);
            default -> value(b);
        };
    }

    /** Skips from the first token of a value to its last one. */
    void skipValue() throws MalformedMessageException {
        if (token.opens()) {
            int outside = depth - 1;
            while (depth > outside) {
                next();
            }
        }
    }

    /** Returns an error for the position {@code end}, which is after the wrong byte. */
    MalformedMessageException malformed(String text, int end) {
        return new MalformedMessageException(text + TextPosition.after(buffer, offset, end - offset, longStrings));
    }

    private JsonToken end(boolean trailing) throws MalformedMessageException {
        if (trailing) {
            throw malformed("trailing characters", position + 1);
        }
        token = JsonToken.END;
        return token;
    }

    /** Skips a comma, or leaves the closing bracket to the next step. */
    private void afterValue() throws MalformedMessageException {
        boolean object = objects[depth - 1];
        if (position == limit) {
            throw unexpectedEnd();
        }
        if (buffer[position] == ',') {
            position++;
            skipSpace();
            expect = object ? Expect.NAME : Expect.VALUE;
            if (position < limit && buffer[position] == (object ? '}' : ']')) {
                throw malformed("trailing comma", position + 1);
            }
        } else if (buffer[position] != (object ? '}' : ']')) {
            throw malformed(object ? "expected `,` or `}`" : "expected `,` or `]`", position + 1);
        }
    }

    private JsonToken close(byte bracket) {
        position++;
        depth--;
        token = bracket == '}' ? JsonToken.END_OBJECT : JsonToken.END_ARRAY;
        valueIsComplete();
        return token;
    }

    private JsonToken name(byte first) throws MalformedMessageException {
        if (first != '"') {
            throw malformed("key must be a string", position + 1);
        }
        string();
        token = JsonToken.NAME;
        expect = Expect.VALUE;
        return token;
    }

    private JsonToken value(byte first) throws MalformedMessageException {
        if (token == JsonToken.NAME) {
            colon();
            first = buffer[position];
        }
        switch (first) {
            case '{', '[' -> open(first);
            case '"' -> {
                string();
                token = JsonToken.STRING;
                valueIsComplete();
            }
            case 't' -> word("true", JsonToken.TRUE);
            case 'f' -> word("false", JsonToken.FALSE);
            case 'n' -> word("null", JsonToken.NULL);
            default -> number(first);
        }
        return token;
    }

    private void colon() throws MalformedMessageException {
        if (buffer[position] != ':') {
            throw malformed("expected `:`", position + 1);
        }
        position++;
        skipSpace();
        if (position == limit) {
            throw malformed("EOF while parsing a value", limit);
        }
        start = position;
    }

    private void open(byte bracket) throws MalformedMessageException {
        position++;
        if (depth == objects.length) {
            throw malformed("recursion limit exceeded", position);
        }
        boolean object = bracket == '{';
        objects[depth++] = object;
        token = object ? JsonToken.START_OBJECT : JsonToken.START_ARRAY;
        expect = object ? Expect.NAME_OR_END : Expect.VALUE_OR_END;
    }

    private void valueIsComplete() {
        expect = depth == 0 ? Expect.NOTHING : Expect.COMMA_OR_END;
    }

    private void string() throws MalformedMessageException {
        escaped = false;
        int i = JsonStrings.special(buffer, position + 1, limit);
        while (i < limit && buffer[i] == '\\') {
            escaped = true;
            i = JsonStrings.special(buffer, escape(i), limit);
        }
        if (i < limit && buffer[i] == LongStrings.MARK) {
            longString = longStrings.at(i);
            i += longString == null ? 0 : 1;
        }
        if (i >= limit) {
            throw malformed("EOF while parsing a string", limit);
        }
        if (buffer[i] != '"') {
            throw malformed("control character (\\u0000-\\u001F) found while parsing a string", i + 1);
        }
        position = i + 1;
    }

    /** Checks the escape at {@code i} and returns the index after it. */
    private int escape(int i) throws MalformedMessageException {
        if (i + 1 < limit && buffer[i + 1] == 'u') {
            for (int digit = i + 2; digit < i + 6; digit++) {
                if (digit < limit && Character.digit(buffer[digit], 16) < 0) {
                    throw malformed("invalid escape", digit + 1);
                }
            }
            return Math.min(i + 6, limit);
        }
        if (i + 1 < limit && "\"\\/bfnrt".indexOf(buffer[i + 1]) < 0) {
            throw malformed("invalid escape", i + 2);
        }
        return Math.min(i + 2, limit);
    }

    private void word(String word, JsonToken result) throws MalformedMessageException {
        for (int i = 0; i < word.length(); i++, position++) {
            if (position == limit) {
                throw malformed("EOF while parsing a value", limit);
            }
            if (buffer[position] != word.charAt(i)) {
                throw malformed("expected ident", position + 1);
            }
        }
        token = result;
        valueIsComplete();
    }

    private void number(byte first) throws MalformedMessageException {
        if (first != '-' && !isDigit(position)) {
            throw malformed("expected value", position + 1);
        }
        position += first == '-' ? 1 : 0;
        boolean zero = position < limit && buffer[position] == '0';
        digits();
        if (zero && isDigit(start + (first == '-' ? 2 : 1))) {
            throw malformed("invalid number", start + (first == '-' ? 3 : 2));
        }
        token = JsonToken.INTEGER;
        if (position < limit && buffer[position] == '.') {
            position++;
            digits();
            token = JsonToken.FRACTION;
        }
        if (position < limit && (buffer[position] | 0x20) == 'e') {
            position++;
            if (position < limit && (buffer[position] == '+' || buffer[position] == '-')) {
                position++;
            }
            digits();
            token = JsonToken.FRACTION;
        }
        if (position - start > MAX_NUMBER_LENGTH) {
            throw malformed("number out of range", position);
        }
        valueIsComplete();
    }

    /** Skips at least one digit. */
    private void digits() throws MalformedMessageException {
        if (!isDigit(position)) {
            throw position == limit
                    ? malformed("EOF while parsing a value", limit)
                    : malformed("invalid number", position + 1);
        }
        while (isDigit(position)) {
            position++;
        }
    }

    private boolean isDigit(int index) {
        return index < limit && buffer[index] >= '0' && buffer[index] <= '9';
    }

    private void skipSpace() {
        while (position < limit && isSpace(buffer[position])) {
            position++;
        }
    }

    private MalformedMessageException unexpectedEnd() {
        String what = switch (expect) {
            case VALUE -> token == JsonToken.NAME ? "an object" : "a value";
            case NAME -> "a value";
            case VALUE_OR_END -> "a list";
            case COMMA_OR_END -> objects[depth - 1] ? "an object" : "a list";
            default -> "an object";
        };
        return malformed("EOF while parsing " + what, limit);
    }

    private static boolean isSpace(byte b) {
        return b == ' ' || b == '\n' || b == '\r' || b == '\t';
    }
}
