package dev.execserver.protocol.rpc;

/**
 * Reads the tokens of one message and checks two limits for the whole message: the number of values, and unique member
 * names in each object. The scanner limits the nesting. One message, one thread.
 */
final class JsonWalker {

    private final JsonScanner scanner;
    private final MemberNames names = new MemberNames();
    private final int maxValues;
    private int values;

    JsonWalker(JsonScanner scanner, int maxValues) {
        this.scanner = scanner;
        this.maxValues = maxValues;
    }

    JsonToken next() throws MalformedMessageException {
        JsonToken token = scanner.next();
        switch (token) {
            case NAME -> {
                String name = scanner.text();
                if (!names.add(name)) {
                    throw scanner.malformed("duplicate JSON object key `" + name + "`", scanner.end());
                }
            }
            case START_OBJECT -> {
                names.enterObject();
                count();
            }
            case END_OBJECT -> names.leaveObject();
            case END_ARRAY, END -> {}
            default -> count();
        }
        return token;
    }

    /** Returns the name of the current member. */
    String name() {
        return names.last();
    }

    /** Returns the number of values so far: every scalar, array and object counts. */
    int values() {
        return values;
    }

    /** Skips from the first token of a value to its last one. */
    void skipValue() throws MalformedMessageException {
        if (scanner.token().opens()) {
            int outside = scanner.depth() - 1;
            while (scanner.depth() > outside) {
                next();
            }
        }
    }

    private void count() throws MalformedMessageException {
        if (++values > maxValues) {
            throw scanner.malformed(
                    "JSON-RPC message exceeds the limit of " + maxValues + " JSON values", scanner.end());
        }
    }
}
