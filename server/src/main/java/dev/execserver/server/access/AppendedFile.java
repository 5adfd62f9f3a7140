package dev.execserver.server.access;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Regular file to which lines are appended. Made readable for its owner and group when it is missing.
 *
 * <p>Before each write it looks if its path still names the open file, and opens the new file if not. So both ways of
 * logrotate(8) work without a signal: renaming the file, and copying and truncating it (O_APPEND continues at the new
 * end).
 */
final class AppendedFile implements LineSink {
    private static final Logger LOG = LoggerFactory.getLogger(AppendedFile.class);
    private static final String MODE = "rw-r-----";
    private static final int OPEN_ATTEMPTS = 10;

    private final Path path;
    private FileChannel channel;
    private Object key;
    private boolean failedToOpen;
    private boolean lineOpen;

    /** @throws IOException if the file cannot be appended to */
    AppendedFile(Path path) throws IOException {
        this.path = path;
        open();
    }

    @Override
    public void write(byte[] lines) throws IOException {
        reopenIfMoved();
        if (lineOpen) {
            append(new byte[] {'\n'});
        }
        lineOpen = true;
        append(lines);
        lineOpen = false;
    }

    private void append(byte[] bytes) throws IOException {
        ByteBuffer buffer = ByteBuffer.wrap(bytes);
        while (buffer.hasRemaining()) {
            channel.write(buffer);
        }
    }

    /** Keeps the old file if the new one cannot be opened: lines in a renamed file are not lost. */
    private void reopenIfMoved() {
        try {
            if (!key(path).equals(Optional.of(key))) {
                FileChannel old = channel;
                open();
                old.close();
                lineOpen = false;
            }
            failedToOpen = false;
        } catch (IOException e) {
            if (!failedToOpen) {
                LOG.warn("{} is gone and cannot be opened again; the old file gets the lines: {}", path, e.toString());
            }
            failedToOpen = true;
        }
    }

    /** Opens what the path names before and after the opening, so that the key belongs to the open file. */
    private void open() throws IOException {
        for (int attempt = 0; attempt < OPEN_ATTEMPTS; attempt++) {
            makeIfMissing();
            Optional<Object> before = key(path);
            if (before.isPresent() && !Files.isRegularFile(path)) {
                throw new IOException("it is no regular file");
            }
            FileChannel opened = FileChannel.open(path, StandardOpenOption.WRITE, StandardOpenOption.APPEND);
            if (before.isPresent() && before.equals(key(path))) {
                channel = opened;
                key = before.get();
                return;
            }
            opened.close();
        }
        throw new IOException("it is replaced all the time");
    }

    private void makeIfMissing() throws IOException {
        try {
            Files.newByteChannel(
                            path,
                            Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE),
                            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString(MODE)))
                    .close();
        } catch (FileAlreadyExistsException e) {
            LOG.trace("{} is there already", path);
        }
    }

    private static Optional<Object> key(Path path) throws IOException {
        try {
            return Optional.of(Objects.requireNonNull(
                    Files.readAttributes(path, BasicFileAttributes.class).fileKey()));
        } catch (NoSuchFileException e) {
            return Optional.empty();
        }
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }
}
