package dev.execserver.helper.fs;

import dev.execserver.protocol.paths.PathUri;
import dev.execserver.protocol.rpc.RpcException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Functions on native paths, which are bytes. Stateless. */
final class Paths {

    static final byte[] ROOT = {'/'};
    static final byte[] HERE = {'.'};
    static final byte[] UP = {'.', '.'};

    private Paths() {}

    /**
     * A name and its directory.
     *
     * @param parent as the caller wrote it, not empty
     * @param name one segment, neither empty nor dots
     */
    @SuppressWarnings("ArrayRecordComponent") // a path is bytes, and places are never compared
    record Place(byte[] parent, byte[] name) {}

    /**
     * Returns the bytes of a path. Slashes at the end are ignored, as the reference server does: the path of a file may
     * have one.
     *
     * @throws RpcException -32600 for a URI with another host or with a drive letter
     */
    static byte[] of(PathUri uri) {
        if (!uri.isValidOnLinux()) {
            throw RpcException.invalidRequest("'" + uri.display() + "' is invalid on 'linux'");
        }
        return withoutSlashes(uri.bytes());
    }

    /** Returns the path for messages. Bytes that are not UTF-8 become U+FFFD. */
    static String display(byte[] path) {
        return new String(path, StandardCharsets.UTF_8);
    }

    /**
     * Splits off the last segment. Slashes at the end are ignored.
     *
     * @throws RpcException -32600 when the last segment is empty, a dot or two dots
     */
    static Place split(byte[] path) {
        byte[] trimmed = withoutSlashes(path);
        int slash = trimmed.length - 1;
        while (trimmed[slash] != '/') {
            slash--;
        }
        byte[] name = Arrays.copyOfRange(trimmed, slash + 1, trimmed.length);
        if (name.length == 0 || Arrays.equals(name, HERE) || Arrays.equals(name, UP)) {
            throw RpcException.invalidRequest(
                    "path `" + display(path) + "` does not end in the name of a file or directory");
        }
        return new Place(slash == 0 ? ROOT : Arrays.copyOf(trimmed, slash), name);
    }

    /** Returns the path without slashes at its end, or the root. */
    static byte[] withoutSlashes(byte[] path) {
        int end = path.length;
        while (end > 1 && path[end - 1] == '/') {
            end--;
        }
        return end == path.length ? path : Arrays.copyOf(path, end);
    }

    /** Returns the segments between the slashes without the empty ones. */
    static List<byte[]> segments(byte[] path) {
        List<byte[]> segments = new ArrayList<>();
        int start = 0;
        for (int i = 0; i <= path.length; i++) {
            if (i == path.length || path[i] == '/') {
                if (i > start) {
                    segments.add(Arrays.copyOfRange(path, start, i));
                }
                start = i + 1;
            }
        }
        return segments;
    }

    /** Returns {@code directory/name}, or the name alone if the directory is empty. */
    static byte[] join(byte[] directory, byte[] name) {
        if (directory.length == 0) {
            return name;
        }
        boolean slash = directory[directory.length - 1] != '/';
        byte[] joined = Arrays.copyOf(directory, directory.length + (slash ? 1 : 0) + name.length);
        if (slash) {
            joined[directory.length] = '/';
        }
        System.arraycopy(name, 0, joined, joined.length - name.length, name.length);
        return joined;
    }
}
