package dev.execserver.server.process;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.LinkedHashSet;

/**
 * The latest write ids of one process. A client may choose ids of any length, so only 128 bits of their SHA-256 are
 * kept: a chance collision is less likely than a memory fault.
 *
 * <p>Not thread safe: guarded by the lock of {@link StdinQueue}.
 */
final class WriteIds {

    /** Number of ids kept for each process, as in the reference server. */
    static final int MAX = 4096;

    /** Bytes that one kept id takes: the digest, its entry and its slot in the table. */
    static final int BYTES_EACH = 80;

    private final LinkedHashSet<Digest> digests = new LinkedHashSet<>();

    private record Digest(long high, long low) {}

    boolean contains(String id) {
        return digests.contains(digest(id));
    }

    /** Adds an id. Drops the oldest one if there are {@link #MAX}. */
    void add(String id) {
        if (full()) {
            digests.removeFirst();
        }
        digests.add(digest(id));
    }

    /** Returns true if another id takes no more memory, because it replaces the oldest one. */
    boolean full() {
        return digests.size() == MAX;
    }

    private static Digest digest(String id) {
        try {
            ByteBuffer sum =
                    ByteBuffer.wrap(MessageDigest.getInstance("SHA-256").digest(id.getBytes(StandardCharsets.UTF_8)));
            return new Digest(sum.getLong(), sum.getLong());
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java platform has SHA-256", e);
        }
    }
}
