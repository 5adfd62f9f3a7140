package dev.execserver.cli.secret;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Optional;

/**
 * Content of a file with a secret, without the ASCII white space around it. It stays bytes: a decoder would replace
 * every byte that is no text by the same character, and so make secrets that are easy to guess.
 */
public final class SecretFile {
    /** No key or token is longer; {@code /dev/zero} has no end. */
    static final int MAX_BYTES = 64 * 1024;

    private static final byte[] BYTE_ORDER_MARK = {(byte) 0xef, (byte) 0xbb, (byte) 0xbf};

    private final byte[] bytes;

    private SecretFile(byte[] bytes) {
        this.bytes = bytes;
    }

    /** @throws IOException also for a file of more than {@value #MAX_BYTES} bytes */
    public static SecretFile read(Path path) throws IOException {
        try (InputStream in = Files.newInputStream(path)) {
            return read(in);
        }
    }

    /** Does the same for what a program writes. */
    public static SecretFile read(InputStream in) throws IOException {
        byte[] content = in.readNBytes(MAX_BYTES + 1);
        if (content.length > MAX_BYTES) {
            throw new IOException("it has more than " + MAX_BYTES + " bytes");
        }
        return of(content);
    }

    static SecretFile of(byte[] content) {
        int from = 0;
        int to = content.length;
        while (from < to && blank(content[from])) {
            from++;
        }
        while (to > from && blank(content[to - 1])) {
            to--;
        }
        return new SecretFile(Arrays.copyOfRange(content, from, to));
    }

    private static boolean blank(byte octet) {
        return octet == ' ' || (octet >= '\t' && octet <= '\r');
    }

    /** Returns a copy of the content. */
    public byte[] bytes() {
        return bytes.clone();
    }

    /**
     * Returns the reason why the content cannot be a token, without any part of the content. A token goes into a
     * header, so it is one line of printable ASCII. Empty if it can be a token.
     */
    public Optional<String> notAToken() {
        if (bytes.length == 0) {
            return Optional.of("must not be empty");
        }
        if (startsWithMark()) {
            return Optional.of("begins with a byte order mark (EF BB BF); save it without one");
        }
        for (int i = 0; i < bytes.length; i++) {
            if (bytes[i] == '\n' || bytes[i] == '\r') {
                return Optional.of(
                        "has a line break inside, at byte " + (i + 1) + "; a token is one line of printable ASCII");
            }
            if (bytes[i] < ' ' || bytes[i] >= 0x7f) {
                return Optional.of("is no token: byte " + (i + 1)
                        + " is not printable ASCII; a token is one line of printable ASCII, for example"
                        + " what `openssl rand -hex 32` writes");
            }
        }
        return Optional.empty();
    }

    private boolean startsWithMark() {
        return bytes.length >= BYTE_ORDER_MARK.length
                && Arrays.equals(bytes, 0, BYTE_ORDER_MARK.length, BYTE_ORDER_MARK, 0, BYTE_ORDER_MARK.length);
    }

    /** Returns the token as text. Call it only if {@link #notAToken} is empty. */
    public String token() {
        notAToken().ifPresent(why -> {
            throw new IllegalStateException("the file " + why);
        });
        return new String(bytes, StandardCharsets.US_ASCII);
    }

    @Override
    public String toString() {
        return "SecretFile[hidden]";
    }
}
