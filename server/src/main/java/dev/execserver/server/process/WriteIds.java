package dev.execserver.server.process;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.LinkedHashSet;

/**
 * The last write ids of one process. A client may choose ids of any length, so 128 bits of their SHA-256 are remembered
 * instead: two ids that collide by chance are less likely than a failing memory.
 *
 * <p>Not thread safe: guarded by the lock of {@link StdinQueue}.
 */
final class WriteIds {

    /** Ids remembered per process, as the reference does. */
    static final int MAX = 4096;

    /** What one remembered id takes: the digest, its entry and its place in the table. */
    static final int BYTES_EACH = 80;

    private final LinkedHashSet<Digest> digests = new LinkedHashSet<>();

    private record Digest(long high, long low) {}

    boolean contains(String id) {
        return digests.contains(digest(id));
    }

    /** Remembers an id; the oldest one is forgotten for it when there are {@link #MAX}. */
    void add(String id) {
        if (full()) {
            digests.removeFirst();
        }
        digests.add(digest(id));
    }

    /** True when one more takes no more memory. */
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
