package dev.execserver.cli.local;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;

/** Reads files of text that people name. Stateless; blocks. */
public final class TextFile {
    /** Open pipes of the user's shell are there. */
    private static final Path OPEN_FILES = Path.of("/dev");

    private TextFile() {}

    /**
     * Returns the text of a UTF-8 file.
     *
     * @throws java.nio.charset.CharacterCodingException if it is not UTF-8
     * @throws IOException if it cannot be read, has more than so many bytes, or is neither a regular file nor in /dev
     */
    public static String read(Path file, int maxBytes) throws IOException {
        BasicFileAttributes attributes = Files.readAttributes(file, BasicFileAttributes.class);
        if (attributes.isDirectory()) {
            throw new IOException("Is a directory");
        }
        if (!attributes.isRegularFile() && !file.toAbsolutePath().startsWith(OPEN_FILES)) {
            throw new IOException("it is no regular file"); // a FIFO that nobody writes would block
        }
        // The size is not asked for: a device or a growing file tells another one than it has.
        byte[] content;
        try (InputStream in = Files.newInputStream(file)) {
            content = in.readNBytes(maxBytes + 1);
        }
        if (content.length > maxBytes) {
            throw new IOException("it has more than " + maxBytes + " bytes");
        }
        return StandardCharsets.UTF_8
                .newDecoder()
                .decode(ByteBuffer.wrap(content))
                .toString();
    }
}
