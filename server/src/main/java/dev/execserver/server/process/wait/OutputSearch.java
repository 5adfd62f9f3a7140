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
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.BooleanSupplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;

/**
 * Search for a pattern in output that comes in pieces, as UTF-8 text, each stream for itself. A match may span pieces, but begins at
 * most {@value #CARRY_CHARS} characters before the end of what had come. A pattern has a bound of steps for each
 * {@value #STEP_CHARS} characters, so that a hostile one holds no thread. A match that needs the end of the text, as {@code $} may, counts
 * when more has come or the output is complete. One thread.
 */
final class OutputSearch {

    /** Characters of earlier output that are kept, from the begin of a line on where there is one. */
    static final int CARRY_CHARS = 8 * 1024;

    /** Characters that are added at once, if there are so many. Another thread may run after each search. */
    static final int STEP_CHARS = 4 * 1024;

    /** Characters of a match that are told. */
    private static final int TOLD_CHARS = 1_000;

    private final Pattern pattern;
    private final Map<StreamKind, Tail> tails = new EnumMap<>(StreamKind.class);

    private OutputSearch(Pattern pattern) {
        this.pattern = pattern;
    }

    /**
     * Text that was found.
     *
     * @param text the first characters of it
     * @param seq number of the chunk with which it was complete
     */
    record Found(String text, long seq) {}

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
     * Searches the next pieces of output, those of a stream together. Returns the match.
     *
     * @param leave asked after each step; the search ends when it returns true, and must not go on after that
     * @throws RpcException -32602 if the pattern takes too many steps
     */
    Optional<Found> next(List<OutputChunk> chunks, BooleanSupplier leave) {
        for (OutputChunk chunk : chunks) {
            Tail tail = tails.computeIfAbsent(chunk.stream(), _ -> new Tail());
            CharBuffer text = tail.decode(chunk.bytes(), false);
            while (text.hasRemaining()) {
                tail.append(text, chunk.seq());
                if (tail.added() == STEP_CHARS) {
                    Optional<Found> found = step(tail);
                    if (found.isPresent() || left(leave)) {
                        return found;
                    }
                }
            }
        }
        return rest(leave);
    }

    /** Searches what is too short for a step of its own. */
    private Optional<Found> rest(BooleanSupplier leave) {
        for (Tail tail : tails.values()) {
            if (tail.added() > 0) {
                Optional<Found> found = step(tail);
                if (found.isPresent() || left(leave)) {
                    return found;
                }
            }
        }
        return Optional.empty();
    }

    private static boolean left(BooleanSupplier leave) {
        Thread.yield();
        return leave.getAsBoolean();
    }

    private Optional<Found> step(Tail tail) {
        Optional<Found> found = find(tail, false);
        tail.searched();
        return found;
    }

    /** Searches the ends of the streams, to which nothing is added any more. Returns the match. Errors are those of {@link #next}. */
    Optional<Found> end() {
        for (Tail tail : tails.values()) {
            tail.window.append(tail.decode(new byte[0], true));
            Optional<Found> found = find(tail, true);
            if (found.isPresent()) {
                return found;
            }
        }
        return Optional.empty();
    }

    /** Forgets what has come: what comes next does not follow it. */
    void forget() {
        tails.clear();
    }

    /** @param complete true if nothing is added to the stream any more */
    private Optional<Found> find(Tail tail, boolean complete) {
        try {
            Matcher matcher = pattern.matcher(new CountedText(tail.window));
            while (matcher.find()) {
                if (complete || !matcher.requireEnd()) {
                    return Optional.of(tail.found(matcher.start(), matcher.end()));
                }
            }
            return Optional.empty();
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

        /** Numbers of the chunks of this step by the places in the window where they end. */
        private final NavigableMap<Integer, Long> ends = new TreeMap<>();

        private ByteBuffer incomplete = ByteBuffer.allocate(0);
        private int searchedLength;
        private long lastSeq;

        /** @param last true if no more bytes follow, so that an incomplete character is a malformed one */
        CharBuffer decode(byte[] bytes, boolean last) {
            ByteBuffer in = ByteBuffer.allocate(incomplete.remaining() + bytes.length);
            in.put(incomplete).put(bytes).flip();
            CharBuffer out = CharBuffer.allocate(in.remaining());
            decoder.decode(in, out, last);
            incomplete = in.slice();
            return out.flip();
        }

        /** Adds as much as is missing to a step. */
        void append(CharBuffer text, long seq) {
            int length = Math.min(STEP_CHARS - added(), text.remaining());
            window.append(text, 0, length);
            text.position(text.position() + length);
            ends.put(window.length(), seq);
            lastSeq = seq;
        }

        /** The number of characters that were added and not searched. */
        int added() {
            return window.length() - searchedLength;
        }

        Found found(int start, int end) {
            Map.Entry<Integer, Long> chunk = ends.ceilingEntry(end);
            return new Found(
                    window.substring(start, Math.min(end, start + TOLD_CHARS)),
                    chunk == null ? lastSeq : chunk.getValue());
        }

        /** Ends a step. */
        void searched() {
            ends.clear();
            trim();
            searchedLength = window.length();
        }

        /** Forgets what is too old. The window begins with a line if a line begins in it, so that {@code ^} means that. */
        private void trim() {
            if (window.length() > CARRY_CHARS) {
                int from = window.length() - CARRY_CHARS;
                int line = window.indexOf("\n", from - 1);
                window.delete(0, line >= 0 && line + 1 < window.length() ? line + 1 : from);
            }
        }
    }
}
