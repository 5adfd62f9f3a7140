package dev.execserver.sandbox.resolve;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;

/**
 * Finds in the index of a working tree the places of submodules (gitlinks), see gitformat-index(5). Git looks into them for a
 * repository, whether or not {@code .gitmodules} names them. Stateless.
 *
 * @param links their paths, from the top of the working tree
 * @param shared name of the file that has the other entries of a split index; empty if this one has all
 */
record GitIndex(List<byte[]> links, Optional<String> shared) {
    /** Largest number of places. The rest of an index with more is not protected. */
    static final int MAX_LINKS = 64;

    private static final byte[] MAGIC = {'D', 'I', 'R', 'C'};
    private static final byte[] SPLIT = {'l', 'i', 'n', 'k'};
    private static final int HEADER_BYTES = 12;
    private static final int MODE = 24;
    /** Bytes of an entry before its object name. */
    private static final int STATUS_BYTES = 40;

    private static final List<Integer> HASH_BYTES = List.of(20, 32);
    private static final int TYPE = 0170000;
    private static final int GITLINK = 0160000;
    private static final int EXTENDED = 0x4000;
    private static final int ALIGNMENT = 8;
    private static final int PREFIXED = 4;
    private static final int LAST_VERSION = 4;
    private static final int FIRST_VERSION = 2;
    private static final int EXTENSION_HEADER_BYTES = 8;

    /** Reads an index; empty if it is none that git could read. Its object names do not tell their length, so both are tried. */
    static Optional<GitIndex> read(byte[] content) {
        return HASH_BYTES.stream()
                .flatMap(hash -> new Reader(content, hash).read().stream())
                .findFirst();
    }

    /** Goes through one index. */
    private static final class Reader {
        private final byte[] content;
        private final int hash;
        private final ByteBuffer numbers;
        private final List<byte[]> links = new ArrayList<>();
        private byte[] last = new byte[0];

        Reader(byte[] content, int hash) {
            this.content = content;
            this.hash = hash;
            this.numbers = ByteBuffer.wrap(content);
        }

        Optional<GitIndex> read() {
            if (content.length < HEADER_BYTES + hash || !Arrays.equals(content, 0, 4, MAGIC, 0, 4)) {
                return Optional.empty();
            }
            int version = numbers.getInt(4);
            int count = numbers.getInt(8);
            if (version < FIRST_VERSION || version > LAST_VERSION || count < 0) {
                return Optional.empty();
            }
            int at = HEADER_BYTES;
            for (int i = 0; i < count; i++) {
                at = version == PREFIXED ? prefixed(at) : whole(at);
                if (at < 0) {
                    return Optional.empty();
                }
            }
            return extensions(at);
        }

        /** Reads an entry with a whole name. Returns the offset of the next one; -1 if it is malformed. */
        private int whole(int at) {
            int name = name(at);
            int end = name < 0 ? -1 : nul(name);
            if (end <= name) {
                return -1;
            }
            add(at, content, name, end);
            int length = end - at;
            return at + (length / ALIGNMENT + 1) * ALIGNMENT;
        }

        /** Reads an entry whose name says how much of the one before it is left out at the end. */
        private int prefixed(int at) {
            int from = name(at);
            int dropped = 0;
            if (from < 0) {
                return -1;
            }
            for (boolean more = true; more; from++) {
                if (from >= content.length || dropped > content.length) {
                    return -1;
                }
                int part = content[from] & 0xff;
                more = (part & 0x80) != 0;
                dropped = dropped << 7 | part & 0x7f;
                dropped += more ? 1 : 0;
            }
            int end = nul(from);
            int kept = last.length - dropped;
            if (end < 0 || kept < 0 || kept + end - from == 0) {
                return -1;
            }
            byte[] name = Arrays.copyOf(last, kept + end - from);
            System.arraycopy(content, from, name, kept, end - from);
            add(at, name, 0, name.length);
            last = name;
            return end + 1;
        }

        /** Returns the offset of the name of an entry; -1 if the index ends before. */
        private int name(int at) {
            int flags = at + STATUS_BYTES + hash;
            if (at < 0 || flags + 2 > content.length) {
                return -1;
            }
            int extended = (numbers.getShort(flags) & EXTENDED) == 0 ? 0 : 2;
            return flags + 2 + extended;
        }

        private int nul(int from) {
            int at = from;
            while (at < content.length && content[at] != 0) {
                at++;
            }
            return at < content.length ? at : -1;
        }

        private void add(int entry, byte[] bytes, int from, int end) {
            if ((numbers.getInt(entry + MODE) & TYPE) == GITLINK && links.size() < MAX_LINKS) {
                links.add(Arrays.copyOfRange(bytes, from, end));
            }
        }

        private Optional<GitIndex> extensions(int entries) {
            Optional<String> shared = Optional.empty();
            int at = entries;
            int end = content.length - hash;
            while (at + EXTENSION_HEADER_BYTES <= end) {
                int size = numbers.getInt(at + 4);
                int from = at + EXTENSION_HEADER_BYTES;
                if (size < 0 || size > end - from) {
                    return Optional.empty();
                }
                if (Arrays.equals(content, at, at + 4, SPLIT, 0, 4) && size >= hash) {
                    shared = Optional.of("sharedindex." + HexFormat.of().formatHex(content, from, from + hash));
                }
                at = from + size;
            }
            return at == end ? Optional.of(new GitIndex(List.copyOf(links), shared)) : Optional.empty();
        }
    }

    /** Returns the paths as text, one char per byte. */
    List<String> texts() {
        return links.stream()
                .map(link -> new String(link, StandardCharsets.ISO_8859_1))
                .toList();
    }
}
