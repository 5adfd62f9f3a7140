package dev.execserver.server.rules.starlark;

/**
 * Work of one comparison. A small program can make a value that holds itself many times: compared element by element, it would
 * never end. Used by the thread of the run. An error ends the run, so it leaves nothing to put back.
 */
final class Comparison {
    /** Pairs of values that one comparison looks at. */
    static final int MAX_PAIRS = 2_000_000;

    private int pairs;
    private int depth;

    void enter() {
        depth++;
        pairs++;
        if (depth > Budget.MAX_DEPTH) {
            throw new Failure("values are nested more than %d deep".formatted(Budget.MAX_DEPTH));
        }
        if (pairs > MAX_PAIRS) {
            throw new Failure("a comparison looks at more than %d pairs of values".formatted(MAX_PAIRS));
        }
    }

    void leave() {
        depth--;
    }

    /** Returns the number of pairs that were looked at. */
    int pairs() {
        return pairs;
    }
}
