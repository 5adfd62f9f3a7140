package dev.execserver.server.process.wait;

import dev.execserver.protocol.process.OutputChunk;
import dev.execserver.protocol.process.StreamKind;
import dev.execserver.protocol.rpc.RpcException;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharsetDecoder;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;
import java.util.EnumMap;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;

/**
 * Search for a pattern in output that comes in pieces, as UTF-8 text, each stream for itself. A match may span pieces, but begins at
 * most {@value #CARRY_CHARS} characters before the end of what had come. A pattern has a bound of steps for each
 * {@value #STEP_CHARS} characters, so that a hostile one holds no thread. One thread.
 */
final class OutputSearch {

    /** Characters of earlier output that are kept, from the begin of a line on where there is one. */
    static final int CARRY_CHARS = 8 * 1024;

    /** Characters that are added at once. */
    static final int STEP_CHARS = 4 * 1024;

    /** Characters of a match that are told. */
    private static final int TOLD_CHARS = 1_000;

    private final Pattern pattern;
    private final Map<StreamKind, Tail> tails = new EnumMap<>(StreamKind.class);

    private OutputSearch(Pattern pattern) {
        this.pattern = pattern;
    }

    static OutputSearch text(String text) {
        return new OutputSearch(Pattern.compile(text, Pattern.LITERAL));
    }

    /** @throws RpcException -32602 if it is no regular expression */
    static OutputSearch regex(String regex) {
        try {
            return new OutputSearch(Pattern.compile(regex, Pattern.MULTILINE));
        } catch (PatternSyntaxException e) {
            throw RpcException.invalidParams(
                    "until.regex is no regular expression: " + e.getDescription() + " near index " + e.getIndex());
        } catch (StackOverflowError e) {
            throw RpcException.invalidParams("until.regex is nested too deeply");
        }
    }

    /**
     * Searches the next piece of output. Returns the match.
     *
     * @throws RpcException -32602 if the pattern takes too many steps
     */
    Optional<String> next(OutputChunk chunk) {
        Tail tail = tails.computeIfAbsent(chunk.stream(), _ -> new Tail());
        CharBuffer text = tail.decode(chunk.bytes());
        while (text.hasRemaining()) {
            tail.append(text, STEP_CHARS);
            Optional<String> found = find(tail.window);
            if (found.isPresent()) {
                return found;
            }
            tail.trim();
        }
        return Optional.empty();
    }

    private Optional<String> find(CharSequence window) {
        try {
            Matcher matcher = pattern.matcher(new CountedText(window));
            return matcher.find()
                    ? Optional.of(
                            window.subSequence(matcher.start(), Math.min(matcher.end(), matcher.start() + TOLD_CHARS))
                                    .toString())
                    : Optional.empty();
        } catch (CountedText.TooManyStepsException | StackOverflowError e) {
            // java.util.regex tries all ways through a pattern, and recurses for each repetition of a group.
            throw RpcException.invalidParams(
                    "until.regex takes too many steps on this output; repeat characters or classes"
                            + " of them ([ab]+) instead of groups ((a|b)+), and nothing that is itself repeated");
        }
    }

    /** The end of what one stream has said. */
    private static final class Tail {
        private final StringBuilder window = new StringBuilder();
        private final CharsetDecoder decoder = StandardCharsets.UTF_8
                .newDecoder()
                .onMalformedInput(CodingErrorAction.REPLACE)
                .onUnmappableCharacter(CodingErrorAction.REPLACE);
        private ByteBuffer incomplete = ByteBuffer.allocate(0);

        CharBuffer decode(byte[] bytes) {
            ByteBuffer in = ByteBuffer.allocate(incomplete.remaining() + bytes.length);
            in.put(incomplete).put(bytes).flip();
            CharBuffer out = CharBuffer.allocate(in.remaining());
            decoder.decode(in, out, false);
            incomplete = in.slice();
            return out.flip();
        }

        void append(CharBuffer text, int most) {
            int length = Math.min(most, text.remaining());
            window.append(text, 0, length);
            text.position(text.position() + length);
        }

        /** Forgets what is too old. The window begins with a line if a line begins in it, so that {@code ^} means that. */
        void trim() {
            if (window.length() > CARRY_CHARS) {
                int from = window.length() - CARRY_CHARS;
                int line = window.indexOf("\n", from - 1);
                window.delete(0, line >= 0 && line + 1 < window.length() ? line + 1 : from);
            }
        }
    }
}
