package dev.execserver.cli.client.copy;

import static java.nio.charset.StandardCharsets.US_ASCII;

import dev.execserver.cli.local.LocalFile;
import dev.execserver.protocol.paths.PathUri;
import java.io.ByteArrayOutputStream;
import java.nio.file.Path;

/**
 * Converts between paths of the JDK and bytes. A path of the JDK holds the bytes of the kernel in any locale; only URIs
 * give access to them without loss. Stateless.
 */
final class LocalPaths {

    private static final int HEX = 16;

    private LocalPaths() {}

    static Path path(PathUri path) {
        return LocalFile.of(path.bytes());
    }

    /** Returns the absolute path. Dots and links are kept. */
    static PathUri uri(Path path) {
        String uri = path.toAbsolutePath().toUri().getRawPath();
        // The JDK appends a slash to the paths of directories.
        boolean slash = uri.endsWith("/") && uri.length() > 1;
        byte[] escaped = uri.substring(0, uri.length() - (slash ? 1 : 0)).getBytes(US_ASCII);
        ByteArrayOutputStream bytes = new ByteArrayOutputStream(escaped.length);
        for (int i = 0; i < escaped.length; i++) {
            if (escaped[i] == '%') {
                bytes.write(Character.digit(escaped[++i], HEX) * HEX + Character.digit(escaped[++i], HEX));
            } else {
                bytes.write(escaped[i]);
            }
        }
        return PathUri.ofNative(bytes.toByteArray());
    }
}
