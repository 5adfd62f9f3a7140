package dev.execserver.sandbox.glob;

import dev.execserver.sandbox.paths.PolicyRefusedException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;

/**
 * One compiled pattern, matched against the bytes of a relative path. {@code *} and {@code ?} stay within a component;
 * {@code **} crosses components. {@code **}{@code /} at the start of a component stands for any number of directories, also
 * none. A {@code ?} or a class takes one UTF-8 character, or one byte that is not part of any. The time to match is
 * proportional to the length of the pattern times that of the path. Immutable.
 */
final class GlobTokens {

    private sealed interface Token {
        record Literal(byte value) implements Token {}

        record AnyCharacter() implements Token {}

        record Star() implements Token {}

        record Cross() implements Token {}

        record Directories() implements Token {}

        /** Ranges of code points, lower and upper bounds alternating. */
        record Characters(boolean negated, List<Integer> ranges) implements Token {}
    }

    private final List<Token> tokens;

    private GlobTokens(List<Token> tokens) {
        this.tokens = tokens;
    }

    static GlobTokens compile(String pattern) {
        int[] text = pattern.codePoints().toArray();
        List<Token> tokens = new ArrayList<>();
        int at = 0;
        while (at < text.length) {
            int c = text[at];
            if (c == '\\' && at + 1 < text.length) {
                literal(tokens, text[at + 1]);
                at += 2;
            } else if (c == '*') {
                int end = at;
                while (end < text.length && text[end] == '*') {
                    end++;
                }
                boolean starts = at == 0 || text[at - 1] == '/';
                if (end - at == 1) {
                    tokens.add(new Token.Star());
                } else if (starts && end < text.length && text[end] == '/') {
                    tokens.add(new Token.Directories());
                    end++;
                } else {
                    tokens.add(new Token.Cross());
                }
                at = end;
            } else if (c == '?') {
                tokens.add(new Token.AnyCharacter());
                at++;
            } else if (c == '[' && closing(text, at) > 0) {
                int end = closing(text, at);
                tokens.add(characters(pattern, text, at + 1, end));
                at = end + 1;
            } else {
                literal(tokens, c);
                at++;
            }
        }
        return new GlobTokens(List.copyOf(tokens));
    }

    private static void literal(List<Token> tokens, int codePoint) {
        for (byte b : Character.toString(codePoint).getBytes(StandardCharsets.UTF_8)) {
            tokens.add(new Token.Literal(b));
        }
    }

    /**
     * Returns the index of the bracket that ends the class; -1 if there is none, and then the opening one is an ordinary
     * character.
     */
    private static int closing(int[] text, int open) {
        int at = open + 1;
        if (at < text.length && (text[at] == '!' || text[at] == '^')) {
            at++;
        }
        // A closing bracket in first place belongs to the class.
        for (int i = at + 1; i < text.length && text[i] != '/'; i++) {
            if (text[i] == ']') {
                return i;
            }
        }
        return -1;
    }

    private static Token characters(String pattern, int[] text, int from, int end) {
        boolean negated = text[from] == '!' || text[from] == '^';
        List<Integer> ranges = new ArrayList<>();
        for (int i = negated ? from + 1 : from; i < end; i++) {
            int low = text[i];
            int high = low;
            if (i + 2 < end && text[i + 1] == '-') {
                high = text[i + 2];
                i += 2;
            }
            if (high < low) {
                throw new PolicyRefusedException("the glob `" + pattern + "` has the range `" + Character.toString(low)
                        + "-" + Character.toString(high) + "`, which is empty; write the lower end first");
            }
            ranges.add(low);
            ranges.add(high);
        }
        return new Token.Characters(negated, List.copyOf(ranges));
    }

    boolean matches(byte[] path) {
        BitSet reached = new BitSet(path.length + 1);
        reached.set(0);
        for (Token token : tokens) {
            reached = step(token, path, reached);
            if (reached.isEmpty()) {
                return false;
            }
        }
        return reached.get(path.length);
    }

    private static BitSet step(Token token, byte[] path, BitSet reached) {
        BitSet next = new BitSet(path.length + 1);
        for (int at = reached.nextSetBit(0); at >= 0; at = reached.nextSetBit(at + 1)) {
            switch (token) {
                case Token.Literal(byte value) -> {
                    if (at < path.length && path[at] == value) {
                        next.set(at + 1);
                    }
                }
                case Token.AnyCharacter() -> {
                    if (at < path.length && path[at] != '/') {
                        next.set(at + characterLength(path, at));
                    }
                }
                case Token.Star() -> {
                    int end = at;
                    while (end < path.length && path[end] != '/') {
                        end++;
                    }
                    next.set(at, end + 1);
                }
                case Token.Cross() -> {
                    next.set(at, path.length + 1);
                    return next;
                }
                case Token.Directories() -> {
                    next.set(at);
                    for (int i = at; i < path.length; i++) {
                        if (path[i] == '/') {
                            next.set(i + 1);
                        }
                    }
                }
                case Token.Characters(boolean negated, List<Integer> ranges) -> {
                    if (at < path.length && path[at] != '/' && negated != inRanges(ranges, codePoint(path, at))) {
                        next.set(at + characterLength(path, at));
                    }
                }
            }
        }
        return next;
    }

    private static boolean inRanges(List<Integer> ranges, int codePoint) {
        for (int i = 0; i < ranges.size(); i += 2) {
            if (ranges.get(i) <= codePoint && codePoint <= ranges.get(i + 1)) {
                return true;
            }
        }
        return false;
    }

    /** Returns the character there; for a byte that starts none, a number above all code points. */
    private static int codePoint(byte[] path, int at) {
        int length = characterLength(path, at);
        if (length == 1 && path[at] < 0) {
            return Character.MAX_CODE_POINT + 1 + (path[at] & 0xff);
        }
        return new String(path, at, length, StandardCharsets.UTF_8).codePointAt(0);
    }

    private static int characterLength(byte[] path, int at) {
        int lead = path[at] & 0xff;
        int length = lead < 0xc2 ? 1 : lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : lead < 0xf5 ? 4 : 1;
        if (at + length > path.length) {
            return 1;
        }
        for (int i = 1; i < length; i++) {
            if ((path[at + i] & 0xc0) != 0x80) {
                return 1;
            }
        }
        return length;
    }
}
