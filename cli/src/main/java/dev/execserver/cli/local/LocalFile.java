package dev.execserver.cli.local;

import dev.execserver.protocol.text.SurrogateEscapedText;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Path;
import java.util.HexFormat;

/**
 * Converts names and bytes to paths of the JDK. The JDK encodes a name with the encoding of the locale, and cannot make
 * a path with a letter that this encoding lacks; a URI passes the bytes. Stateless.
 */
public final class LocalFile {
    private static final Path WORKING_DIRECTORY = Path.of("/proc/self/cwd");

    private LocalFile() {}

    /**
     * Returns the path for a name in the form of {@link SurrogateEscapedText}. It stays relative if it and the working directory
     * are ASCII.
     *
     * @throws java.nio.file.InvalidPathException for a NUL
     */
    public static Path of(String name) {
        boolean plain = ascii(name)
                && (name.startsWith("/") || ascii(Path.of("").toAbsolutePath().toString()));
        return plain ? Path.of(name) : of(SurrogateEscapedText.encode(name));
    }

    /** Does the same as {@link #of(String)} for bytes, and makes the path absolute. */
    public static Path of(byte[] name) {
        if (name.length > 0 && name[0] == '/') {
            return absolute("", name);
        }
        return absolute(workingDirectory().toUri().getRawPath().replaceAll("/$", "") + "/", name);
    }

    private static Path absolute(String escapedPrefix, byte[] name) {
        StringBuilder uri = new StringBuilder("file://").append(escapedPrefix);
        for (byte octet : name) {
            if (octet == '/'
                    || octet >= '0' && octet <= '9'
                    || octet >= 'A' && octet <= 'Z'
                    || octet >= 'a' && octet <= 'z') {
                uri.append((char) octet);
            } else {
                uri.append('%').append(HexFormat.of().toHexDigits(octet));
            }
        }
        return Path.of(URI.create(uri.toString()));
    }

    /**
     * Returns the working directory. If it is not ASCII, the kernel is asked: the JDK decodes its own copy with the
     * encoding of the locale.
     */
    public static Path workingDirectory() {
        Path directory = Path.of("").toAbsolutePath();
        if (ascii(directory.toString())) {
            return directory;
        }
        try {
            return WORKING_DIRECTORY.toRealPath();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static boolean ascii(String text) {
        return text.chars().allMatch(character -> character < 0x80);
    }
}
