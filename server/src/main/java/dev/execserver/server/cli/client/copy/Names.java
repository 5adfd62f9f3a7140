package dev.execserver.server.cli.client.copy;

import static java.nio.charset.StandardCharsets.US_ASCII;

import dev.execserver.protocol.paths.PathUri;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.security.SecureRandom;
import java.util.Arrays;
import java.util.HexFormat;

/** Paths of bytes taken apart and put together. Stateless. */
final class Names {

    /** Begins the names of what a killed copy may leave behind. */
    static final String PART_PREFIX = ".exec-server-cp-";

    private static final SecureRandom RANDOM = new SecureRandom();
    private static final int RANDOM_BYTES = 8;

    private Names() {}

    /** The last segment; slashes behind it do not count. Empty for the root. */
    static byte[] last(PathUri path) {
        byte[] bytes = path.bytes();
        int end = end(bytes);
        return Arrays.copyOfRange(bytes, start(bytes, end), end);
    }

    /** Whether the last segment is a name of its own, and not the root, a dot or two. */
    static boolean hasName(PathUri path) {
        byte[] last = last(path);
        return !(last.length == 0
                || Arrays.equals(last, new byte[] {'.'})
                || Arrays.equals(last, new byte[] {'.', '.'}));
    }

    static PathUri child(PathUri directory, byte[] name) {
        byte[] bytes = directory.bytes();
        ByteArrayOutputStream joined = new ByteArrayOutputStream(bytes.length + 1 + name.length);
        joined.write(bytes, 0, end(bytes));
        joined.write('/');
        joined.writeBytes(name);
        return PathUri.ofNative(joined.toByteArray());
    }

    /**
     * A path for a name that a machine has told.
     *
     * @throws IOException when it is none: it would lead somewhere else
     */
    static PathUri checkedChild(PathUri directory, byte[] name) throws IOException {
        for (byte octet : name) {
            if (octet == '/' || octet == 0) {
                throw new IOException("the server names an entry that is no name; nothing of the directory is copied");
            }
        }
        PathUri child = child(directory, name);
        if (!hasName(child) || name.length == 0) {
            throw new IOException("the server names an entry that is no name; nothing of the directory is copied");
        }
        return child;
    }

    /** The directory that the path is in. */
    static PathUri parent(PathUri path) {
        byte[] bytes = path.bytes();
        return PathUri.ofNative(Arrays.copyOf(bytes, Math.max(1, start(bytes, end(bytes)))));
    }

    /** A new hidden name in the same directory, for what will have the name of the path. */
    static PathUri part(PathUri path) {
        return hidden(parent(path));
    }

    /** A new hidden name in the directory. */
    static PathUri hidden(PathUri directory) {
        byte[] random = new byte[RANDOM_BYTES];
        RANDOM.nextBytes(random);
        return child(directory, (PART_PREFIX + HexFormat.of().formatHex(random)).getBytes(US_ASCII));
    }

    /** Where the path ends when slashes behind it do not count; 0 for the root. */
    private static int end(byte[] path) {
        int end = path.length;
        while (end > 0 && path[end - 1] == '/') {
            end--;
        }
        return end;
    }

    private static int start(byte[] path, int end) {
        int start = end;
        while (start > 0 && path[start - 1] != '/') {
            start--;
        }
        return start;
    }
}
