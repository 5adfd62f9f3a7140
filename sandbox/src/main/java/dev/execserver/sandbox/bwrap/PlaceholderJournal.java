package dev.execserver.sandbox.bwrap;

import dev.execserver.sandbox.linux.ContentCalls;
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
import java.util.Collection;
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
    private static final int MODE = 0600;

    private final Path file;
    private final Fd log;
    private boolean empty = true;

    private PlaceholderJournal(Path file, Fd log) {
        this.file = file;
        this.log = log;
    }

    /** A new journal in the server's directory. */
    static PlaceholderJournal create(Path directory) {
        Path file = directory.resolve(NAME);
        int flags = FileCalls.O_WRONLY | FileCalls.O_APPEND | FileCalls.O_CREAT | FileCalls.O_EXCL;
        Fd log = FileCalls.open(bytes(file), flags, MODE);
        EntryCalls.tryLockExclusive(log);
        return new PlaceholderJournal(file, log);
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

    void intend(Collection<LinuxPath> paths) {
        StringBuilder lines = new StringBuilder();
        paths.forEach(path -> line('I', 0, path, lines));
        write(lines);
    }

    void created(Map<LinuxPath, FileId> made) {
        StringBuilder lines = new StringBuilder();
        made.forEach((path, id) -> line('C', id.inode(), path, lines));
        write(lines);
    }

    /** @param last whether nothing is left: the journal starts anew */
    void removed(Collection<LinuxPath> paths, boolean last) {
        if (last) {
            truncate();
            return;
        }
        StringBuilder lines = new StringBuilder();
        paths.forEach(path -> line('D', 0, path, lines));
        write(lines);
    }

    @Override
    public void close() {
        log.close();
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

    private static void line(char event, long inode, LinuxPath path, StringBuilder lines) {
        lines.append(event).append(' ').append(inode).append(' ');
        lines.append(escape(path.bytes())).append('\n');
    }

    private void write(StringBuilder lines) {
        if (!lines.isEmpty()) {
            byte[] text = lines.toString().getBytes(StandardCharsets.US_ASCII);
            empty = false;
            try {
                ContentCalls.append(log, text, 0, text.length);
            } catch (LinuxException e) {
                throw new LinuxException(e.call(), file.toString(), e.errno());
            }
        }
    }

    private void truncate() {
        if (!empty) {
            ContentCalls.truncate(log, 0);
            empty = true;
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
            FileStatus status = FileCalls.status(fd);
            boolean ours = inode == 0 ? (status.mode() & 0222) == 0 : status.inode() == inode;
            if (ours && EntryCalls.tryLockExclusive(fd)) {
                removeLocked(path, status.inode());
            }
        } catch (LinuxException e) {
            ignoreTaken(e);
        }
    }

    /** The same for an object that the caller has locked for himself. */
    static void removeLocked(LinuxPath path, long inode) {
        try {
            FileStatus status = FileCalls.status(path.bytes(), false);
            if (status.inode() != inode) {
                return;
            }
            if (status.directory()) {
                EntryCalls.removeDirectory(path.bytes());
            } else if (status.regular() && status.size() == 0) {
                EntryCalls.removeFile(path.bytes());
            }
        } catch (LinuxException e) {
            ignoreTaken(e);
        }
    }

    /** Gone, or somebody has put something there: theirs now. */
    private static void ignoreTaken(LinuxException e) {
        switch (e.errno()) {
            case Errno.ENOENT, Errno.ENOTDIR, Errno.ENOTEMPTY, Errno.EEXIST, Errno.ELOOP -> {}
            default -> throw e;
        }
    }

    private static byte[] bytes(Path path) {
        return path.toString().getBytes(StandardCharsets.UTF_8);
    }
}
