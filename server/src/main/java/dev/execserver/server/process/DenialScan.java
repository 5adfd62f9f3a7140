package dev.execserver.server.process;

import java.nio.charset.StandardCharsets;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Guesses from what a sandboxed command says and from its exit code whether the sandbox has stopped it. Clients offer to run
 * it again without one then, so the words are those of the protocol.
 *
 * <p>The pumps show what they read as they read it, so that nothing is searched twice and nothing waits at the exit. The lock
 * guards the tails of the streams.
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

    /** Longest word less one: what of a chunk may belong to a word that goes on in the next one. */
    private static final int TAIL =
            WORDS.stream().mapToInt(String::length).max().orElseThrow() - 1;

    /** 128 + SIGSYS: a call that a filter answers with a signal. */
    private static final int BAD_SYSTEM_CALL = 159;

    private final ReentrantLock lock = new ReentrantLock();
    private final Map<EventKind, String> tails = new EnumMap<>(EventKind.class);
    private String lastTail = "";
    private boolean found;

    void saw(EventKind kind, byte[] chunk) {
        lock.lock();
        try {
            if (found) {
                return;
            }
            // One char a byte: the words are ASCII, and invalid UTF-8 needs no care.
            String text = new String(chunk, StandardCharsets.ISO_8859_1).toLowerCase(Locale.ROOT);
            String ofStream = tails.getOrDefault(kind, "") + text;
            found = contains(ofStream) || contains(lastTail + text);
            tails.put(kind, tail(ofStream));
            lastTail = tail(lastTail + text);
        } finally {
            lock.unlock();
        }
    }

    private static boolean contains(String text) {
        return WORDS.stream().anyMatch(text::contains);
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
}
