package dev.execserver.server.process.denial;

import dev.execserver.protocol.process.Denial;
import dev.execserver.server.process.output.EventKind;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Guesses from the output and the exit code of a sandboxed command if the sandbox has stopped it. Clients then offer to
 * run it without a sandbox, so the searched words are those of the protocol. Some lines with such words are kept as
 * evidence.
 *
 * <p>The pumps pass each chunk as they read it, so nothing is searched twice and nothing delays the exit. The lock
 * guards the tails of the streams and the lines.
 */
public final class DenialScan {
    private static final List<String> WORDS = List.of(
            "operation not permitted",
            "permission denied",
            "read-only file system",
            "seccomp",
            "sandbox",
            "landlock",
            "failed to write file");

    /** Bytes of a chunk that are kept because a word, or the line around it, may continue in the next chunk. */
    static final int TAIL = 512;

    /** Largest number of lines that are kept as evidence. */
    static final int MAX_LINES = 8;

    /** 128 + SIGSYS, the exit code after a system call that the filter answers with a signal. */
    private static final int BAD_SYSTEM_CALL = 159;

    private final ReentrantLock lock = new ReentrantLock();
    private final Optional<DenialEvidence> evidence;
    private final Map<EventKind, String> tails = new EnumMap<>(EventKind.class);
    private final List<String> lines = new ArrayList<>();
    private String lastTail = "";
    private boolean found;

    /** @param evidence explains denials; empty for a verdict without details */
    public DenialScan(Optional<DenialEvidence> evidence) {
        this.evidence = evidence;
    }

    public void saw(EventKind kind, byte[] chunk) {
        lock.lock();
        try {
            if (lines.size() >= MAX_LINES) {
                return;
            }
            // ISO 8859-1 makes one char of each byte: the words are ASCII, and invalid UTF-8 does no harm.
            String text = new String(chunk, StandardCharsets.ISO_8859_1);
            String ofStream = tails.getOrDefault(kind, "") + text;
            look(ofStream, ofStream.length() - text.length());
            if (!found) {
                String both = lastTail + text; // a word may even be split between the streams
                look(both, both.length() - text.length());
                lastTail = tail(both);
            }
            tails.put(kind, tail(ofStream));
        } finally {
            lock.unlock();
        }
    }

    /** @param fresh index of the first character that was not searched before */
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

    /**
     * Keeps the line around a word up to the end of the chunk, because nearly all programs end the line with such a
     * word.
     */
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

    /** Returns true if the sandbox seems to have stopped the command. Call it when all output was seen. */
    public boolean denied(int exitCode) {
        lock.lock();
        try {
            return exitCode != 0 && (found || exitCode == BAD_SYSTEM_CALL);
        } finally {
            lock.unlock();
        }
    }

    /**
     * Returns the denial that the lines report, if it can be told. The last one counts, because programs give up there.
     */
    public Optional<Denial> denial(int exitCode) {
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
