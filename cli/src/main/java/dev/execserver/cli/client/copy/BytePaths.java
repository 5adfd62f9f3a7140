package dev.execserver.cli.client.copy;

import static java.nio.charset.StandardCharsets.US_ASCII;

import dev.execserver.protocol.paths.PathUri;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.security.SecureRandom;
import java.util.Arrays;
import java.util.HexFormat;

/** Splits and joins paths of bytes. Stateless. */
final class BytePaths {

    /** Prefix of the files that a killed copy may leave behind. */
    static final String PART_PREFIX = ".exec-server-cp-";

    private static final SecureRandom RANDOM = new SecureRandom();
    private static final int RANDOM_BYTES = 8;

    private BytePaths() {}

    /** Returns the last segment, without trailing slashes. Empty for the root. */
    static byte[] last(PathUri path) {
        byte[] bytes = path.bytes();
        int end = end(bytes);
        return Arrays.copyOfRange(bytes, start(bytes, end), end);
    }

    /** Returns true if the last segment is a real name: not the root, a dot or two dots. */
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
     * Returns the path of a directory entry that a machine has named.
     *
     * @throws IOException when the name is no name of an entry, so that the path would lead out of the directory
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

    /** Returns the directory that contains the path. */
    static PathUri parent(PathUri path) {
        byte[] bytes = path.bytes();
        return PathUri.ofNative(Arrays.copyOf(bytes, Math.max(1, start(bytes, end(bytes)))));
    }

    /** Returns a new hidden name in the same directory, for content that will get the name of the path. */
    static PathUri part(PathUri path) {
        return hidden(parent(path));
    }

    /** Returns a new hidden name in the directory. */
    static PathUri hidden(PathUri directory) {
        byte[] random = new byte[RANDOM_BYTES];
        RANDOM.nextBytes(random);
        return child(directory, (PART_PREFIX + HexFormat.of().formatHex(random)).getBytes(US_ASCII));
    }

    /** Returns the end of the path without trailing slashes; 0 for the root. */
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
