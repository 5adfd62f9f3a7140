package dev.execserver.protocol.paths;

import dev.execserver.protocol.rpc.Dialect;
import dev.execserver.protocol.rpc.RpcException;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Optional;

/**
 * Absolute path from a {@code file:} URI (RFC 8089) or, in the open dialect, from a native path.
 *
 * <p>The path is kept as the bytes that the kernel sees, so names that are not UTF-8 survive. A URI with another host
 * or a drive is well-formed but invalid on Linux: see {@link #isValidOnLinux()}.
 */
public final class PathUri {

    private final byte[] path;
    /** The original URI if it is invalid on Linux, otherwise null. */
    private final String foreign;

    private PathUri(byte[] path, String foreign) {
        this.path = path;
        this.foreign = foreign;
    }

    /**
     * Parses the text of a client.
     *
     * <p>In {@link Dialect#OPEN} a string that starts with {@code /} is native and taken literally, including
     * {@code %}; everything else must be a URI. Segments {@code .} and {@code ..} of a URI are resolved lexically, as
     * every URI parser does (RFC 3986 section 5.2.4); those of a native path are left to the kernel. A {@code %} that
     * starts no escape stands for itself.
     *
     * @throws RpcException invalid params: not a URI, another scheme, a query, a fragment, a NUL byte, half a surrogate
     *     pair
     */
    public static PathUri parse(String text, Dialect dialect) {
        if (dialect.open() && text.startsWith("/")) {
            return ofNative(text);
        }
        FileUri uri = FileUri.split(text);
        if (!uri.local()) {
            return new PathUri(new byte[0], text);
        }
        return ofNative(PercentCodec.decode(utf8(uri.path())));
    }

    /**
     * Makes a path from a native absolute path, taken literally.
     *
     * @throws RpcException invalid params: not absolute, a NUL byte, half a surrogate pair
     */
    public static PathUri ofNative(String path) {
        return ofNative(utf8(path));
    }

    /** Does the same as {@link #ofNative(String)} for bytes in any encoding. */
    public static PathUri ofNative(byte[] path) {
        if (path.length == 0 || path[0] != '/') {
            throw RpcException.invalidParams("path must be absolute");
        }
        for (byte b : path) {
            if (b == 0) {
                throw RpcException.invalidParams("path must not contain a NUL byte");
            }
        }
        return new PathUri(path.clone(), null);
    }

    /** Returns false for a URI with a host other than {@code localhost} or with a drive letter. */
    public boolean isValidOnLinux() {
        return foreign == null;
    }

    /**
     * Returns this path if it is valid on Linux.
     *
     * @param role name of the path in the error, such as {@code cwd}
     * @throws RpcException invalid params, with the text of the reference server, if it is not valid
     */
    public PathUri requireLinux(String role) {
        if (!isValidOnLinux()) {
            throw RpcException.invalidParams(role + " URI `" + foreign + "` is not valid on this exec-server host: '"
                    + foreign + "' is invalid on 'linux'");
        }
        return this;
    }

    /**
     * Returns a copy of the native path: absolute, at least one byte, without a NUL.
     *
     * @throws RpcException as {@link #requireLinux}
     */
    public byte[] bytes() {
        requireLinux("path");
        return path.clone();
    }

    /** Returns the native path for people and logs. Bytes that are not UTF-8 become U+FFFD. Never throws. */
    public String display() {
        return foreign == null ? new String(path, StandardCharsets.UTF_8) : foreign;
    }

    /** Returns the native path as a string, or empty if its bytes are not UTF-8. */
    public Optional<String> text() {
        if (foreign != null) {
            return Optional.empty();
        }
        try {
            return Optional.of(StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(path))
                    .toString());
        } catch (CharacterCodingException e) {
            return Optional.empty();
        }
    }

    /** Returns the {@code file:///...} URI, with everything but plain ASCII escaped. */
    public String toUri() {
        return foreign == null ? "file://" + PercentCodec.encode(path) : foreign;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof PathUri that
                && Arrays.equals(path, that.path)
                && Optional.ofNullable(foreign).equals(Optional.ofNullable(that.foreign));
    }

    @Override
    public int hashCode() {
        return foreign == null ? Arrays.hashCode(path) : foreign.hashCode();
    }

    @Override
    public String toString() {
        return toUri();
    }

    private static byte[] utf8(String text) {
        try {
            ByteBuffer encoded = StandardCharsets.UTF_8.newEncoder().encode(CharBuffer.wrap(text));
            byte[] bytes = new byte[encoded.remaining()];
            encoded.get(bytes);
            return bytes;
        } catch (CharacterCodingException e) {
            throw RpcException.invalidParams("path contains half of a surrogate pair");
        }
    }
}
