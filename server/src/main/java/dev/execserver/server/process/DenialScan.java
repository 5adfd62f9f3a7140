package dev.execserver.server.process;

import dev.execserver.protocol.process.Denial;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Guesses from what a sandboxed command says and from its exit code whether the sandbox has stopped it. Clients offer to run
 * it again without one then, so the words are those of the protocol. Lines with such a word are kept, a few, as evidence of
 * what it was.
 *
 * <p>The pumps show what they read as they read it, so that nothing is searched twice and nothing waits at the exit. The lock
 * guards the tails of the streams and the lines.
 */
final class DenialScan {
    private static final List<String> WORDS = List.of(
            "operation not permitted",
            "permission denied",
            "read-only file system",
            "seccomp",
            "sandbox",
            "landlock",
            "failed to write file");

    /** What of a chunk may belong to a word, or to the line around it, that goes on in the next one. */
    static final int TAIL = 512;

    /** Lines kept as evidence. */
    static final int MAX_LINES = 8;

    /** 128 + SIGSYS: a call that a filter answers with a signal. */
    private static final int BAD_SYSTEM_CALL = 159;

    private final ReentrantLock lock = new ReentrantLock();
    private final Optional<DenialEvidence> evidence;
    private final Map<EventKind, String> tails = new EnumMap<>(EventKind.class);
    private final List<String> lines = new ArrayList<>();
    private String lastTail = "";
    private boolean found;

    /** @param evidence explains denials; empty for the bare verdict */
    DenialScan(Optional<DenialEvidence> evidence) {
        this.evidence = evidence;
    }

    void saw(EventKind kind, byte[] chunk) {
        lock.lock();
        try {
            if (lines.size() >= MAX_LINES) {
                return;
            }
            // One char a byte: the words are ASCII, and invalid UTF-8 needs no care.
            String text = new String(chunk, StandardCharsets.ISO_8859_1);
            String ofStream = tails.getOrDefault(kind, "") + text;
            look(ofStream, ofStream.length() - text.length());
            if (!found) {
                String both = lastTail + text; // a word may even be cut between the streams
                look(both, both.length() - text.length());
                lastTail = tail(both);
            }
            tails.put(kind, tail(ofStream));
        } finally {
            lock.unlock();
        }
    }

    /** @param fresh where what was not looked at before begins */
    private void look(String text, int fresh) {
        String lower = text.toLowerCase(Locale.ROOT);
        for (String word : WORDS) {
            int from = Math.max(0, fresh - word.length() + 1);
            for (int at = lower.indexOf(word, from); at >= 0; at = lower.indexOf(word, at + word.length())) {
                found = true;
                keepLine(text, at);
            }
        }
    }

    /** What comes behind the chunk is not waited for: the words end the lines of nearly all programs. */
    private void keepLine(String text, int at) {
        int end = text.indexOf('\n', at);
        String line =
                text.substring(Math.max(text.lastIndexOf('\n', at) + 1, at - TAIL), end < 0 ? text.length() : end);
        if (lines.size() < MAX_LINES) {
            byte[] bytes = line.substring(0, Math.min(line.length(), 2 * TAIL)).getBytes(StandardCharsets.ISO_8859_1);
            lines.add(new String(bytes, StandardCharsets.UTF_8));
        }
    }

    private static String tail(String text) {
        return text.substring(Math.max(0, text.length() - TAIL));
    }

    /** The verdict, once everything was seen. */
    boolean denied(int exitCode) {
        lock.lock();
        try {
            return exitCode != 0 && (found || exitCode == BAD_SYSTEM_CALL);
        } finally {
            lock.unlock();
        }
    }

    /** What it was, where that can be told: the last complaint counts, programs give up at that. */
    Optional<Denial> denial(int exitCode) {
        lock.lock();
        try {
            return evidence.flatMap(judge -> lines.reversed().stream()
                    .flatMap(line -> judge.of(line).stream())
                    .findFirst()
                    .or(() -> Optional.of(DenialEvidence.systemCall()).filter(_ -> exitCode == BAD_SYSTEM_CALL)));
        } finally {
            lock.unlock();
        }
    }
}
