package dev.execserver.sandbox.bwrap;

import dev.execserver.sandbox.linux.EntryCalls;
import dev.execserver.sandbox.linux.Errno;
import dev.execserver.sandbox.linux.Fd;
import dev.execserver.sandbox.linux.FileCalls;
import dev.execserver.sandbox.linux.FileStatus;
import dev.execserver.sandbox.linux.LinuxException;
import dev.execserver.sandbox.resolve.FileId;
import dev.execserver.sandbox.resolve.LinuxPath;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * What this server has put into directories of others, on disk, so that it can be taken away again after a kill: by the
 * guardian's shell or by the next server. One line an event, which is a letter, the inode and the path with every unusual
 * byte as {@code \0ooo}, as printf %b reads it: {@code I 0 PATH} before something is made, {@code C INODE PATH} when it is
 * there, {@code D 0 PATH} when it is gone.
 *
 * <p>The server that writes it holds a lock on it, which the kernel drops with the server. Used under the lock of
 * {@link Placeholders}.
 */
final class PlaceholderJournal implements AutoCloseable {
    static final String NAME = "placeholders";

    private final Path file;
    private final Fd lock;
    private boolean empty = true;

    private PlaceholderJournal(Path file, Fd lock) {
        this.file = file;
        this.lock = lock;
    }

    /** A new journal in the server's directory. */
    static PlaceholderJournal create(Path directory) {
        Path file = directory.resolve(NAME);
        try {
            Files.write(file, new byte[0], StandardOpenOption.CREATE_NEW);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        Fd lock = FileCalls.open(bytes(file), FileCalls.O_RDONLY, 0);
        EntryCalls.tryLockExclusive(lock);
        return new PlaceholderJournal(file, lock);
    }

    /** Whether the server that wrote it is gone; the answer holds until the descriptor is closed. */
    static Optional<Fd> takeOver(Path file) {
        try {
            Fd lock = FileCalls.open(bytes(file), FileCalls.O_RDONLY, 0);
            if (EntryCalls.tryLockExclusive(lock)) {
                return Optional.of(lock);
            }
            lock.close();
            return Optional.empty();
        } catch (LinuxException e) {
            return Optional.empty(); // removed meanwhile, or not ours to read
        }
    }

    /** False when somebody has removed it. */
    boolean present() {
        return Files.exists(file, LinkOption.NOFOLLOW_LINKS);
    }

    void intend(LinuxPath path) {
        write('I', 0, path);
    }

    void created(LinuxPath path, FileId id) {
        write('C', id.inode(), path);
    }

    /** @param last whether nothing is left: the journal starts anew */
    void removed(LinuxPath path, boolean last) {
        if (!present()) {
            return; // nobody can read it any more
        }
        if (last) {
            truncate();
        } else {
            write('D', 0, path);
        }
    }

    @Override
    public void close() {
        lock.close();
    }

    /** What is left according to a journal: the inode of each path, 0 when it is not known whether it was made. */
    static Map<LinuxPath, Long> leftBehind(Path file) {
        Map<LinuxPath, Long> left = new HashMap<>();
        try {
            for (String line : Files.readAllLines(file, StandardCharsets.US_ASCII)) {
                String[] words = line.split(" ", 3);
                if (words.length < 3) {
                    continue; // the kill came in the middle of the line
                }
                LinuxPath path = LinuxPath.of(unescape(words[2]));
                if (words[0].equals("D")) {
                    left.remove(path);
                } else {
                    left.put(path, Long.valueOf(words[1]));
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return left;
    }

    private void write(char event, long inode, LinuxPath path) {
        append("%c %d %s%n".formatted(event, inode, escape(path.bytes())));
        empty = false;
    }

    private void append(String line) {
        try {
            Files.writeString(file, line, StandardCharsets.US_ASCII, StandardOpenOption.APPEND);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot write " + file, e);
        }
    }

    private void truncate() {
        if (empty) {
            return;
        }
        try {
            Files.write(file, new byte[0], StandardOpenOption.TRUNCATE_EXISTING);
            empty = true;
        } catch (IOException e) {
            throw new UncheckedIOException("cannot write " + file, e);
        }
    }

    static String escape(byte[] path) {
        StringBuilder text = new StringBuilder();
        for (byte b : path) {
            int value = Byte.toUnsignedInt(b);
            boolean plain =
                    b == '/' || b == '.' || b == '-' || b == '_' || (value < 128 && Character.isLetterOrDigit(b));
            text.append(plain ? String.valueOf((char) value) : "\\0%03o".formatted(value));
        }
        return text.toString();
    }

    static byte[] unescape(String text) {
        ByteArrayOutputStream path = new ByteArrayOutputStream();
        for (int at = 0; at < text.length(); at++) {
            if (text.charAt(at) == '\\' && at + 5 <= text.length()) {
                path.write(Integer.parseInt(text.substring(at + 2, at + 5), 8));
                at += 4;
            } else {
                path.write(text.charAt(at));
            }
        }
        return path.toByteArray();
    }

    /**
     * Removes what is still what was made: the same inode, without content, and used by no command of another server. Whoever
     * starts to use it meanwhile does not get the lock, or sees that it is gone.
     */
    static void removeIfUntouched(LinuxPath path, long inode) {
        try (Fd fd = FileCalls.open(path.bytes(), FileCalls.O_RDONLY | FileCalls.O_NONBLOCK | FileCalls.O_NOCTTY, 0)) {
            FileStatus status = FileCalls.status(path.bytes(), false);
            boolean ours = inode == 0 ? (status.mode() & 0222) == 0 : status.inode() == inode;
            if (!ours || !EntryCalls.tryLockExclusive(fd)) {
                return;
            }
            if (status.directory()) {
                EntryCalls.removeDirectory(path.bytes());
            } else if (status.regular() && status.size() == 0) {
                EntryCalls.removeFile(path.bytes());
            }
        } catch (LinuxException e) {
            switch (e.errno()) {
                // Gone, or somebody has put something there: theirs now.
                case Errno.ENOENT, Errno.ENOTDIR, Errno.ENOTEMPTY, Errno.EEXIST, Errno.ELOOP -> {}
                default -> throw e;
            }
        }
    }

    private static byte[] bytes(Path path) {
        return path.toString().getBytes(StandardCharsets.UTF_8);
    }
}
