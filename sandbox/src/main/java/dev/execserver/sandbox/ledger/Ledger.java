package dev.execserver.sandbox.ledger;

import dev.execserver.sandbox.linux.ContentCalls;
import dev.execserver.sandbox.linux.Errno;
import dev.execserver.sandbox.linux.Fd;
import dev.execserver.sandbox.linux.FileCalls;
import dev.execserver.sandbox.linux.FileStatus;
import dev.execserver.sandbox.linux.LinuxException;
import dev.execserver.sandbox.linux.MemoryFile;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * The list of things that the guardian must undo after this server was killed. It is a memory file (memfd_create(2)) that
 * only the server and its guardian have. No path leads to it, so no other process can write an entry. If the guardian is
 * missing or is killed too, the list is lost, and the next server undoes nothing.
 *
 * <p>Each entry is one line in a slot of {@link Slots}: {@code +KIND OBJECT PARENT-ID PARENT NAME [WORDS]}. Identities are
 * {@code device:inode} as stat(1) prints them. The guardian acts on {@code NAME} only inside of a directory with the identity
 * of the parent. A line that begins with another letter than {@code +} is free.
 *
 * <p>Any thread may call. Each change is one write within a page, so a kill leaves the old or the new entry.
 */
public final class Ledger implements AutoCloseable {
    /** Stands for the identity of an object that will be made. */
    private static final String UNKNOWN = "-";

    /** Length of an identity: device and inode have at most 20 digits each. */
    private static final int IDENTITY_BYTES = 42;

    private static final int IDENTITY_AT = 3;
    /** Lowest descriptor number of the ledger; a child may need the smaller ones for itself. */
    private static final int LOWEST_NUMBER = 16;

    private final Fd file;
    private final Fd readOnly;
    private final Slots slots;
    private final KeptFiles kept;

    private Ledger(Fd file, Fd readOnly, KeptFiles kept) {
        this.file = file;
        this.readOnly = readOnly;
        this.kept = kept;
        this.slots = new Slots(file);
    }

    /** The kind of an entry, which decides how the guardian undoes it. */
    public enum Kind {
        /** An empty object that a mount needs. It is removed if no other server uses it. */
        PLACEHOLDER('P'),
        /** A symbolic link that a command must not change. It is made again; the word is its target. */
        LINK('L'),
        /** A control group. It is removed with the groups in it. */
        GROUP('G'),
        /** A folder of the server. It is removed with everything in it. */
        FOLDER('F');

        private final char letter;

        Kind(char letter) {
            this.letter = letter;
        }
    }

    /** Makes an empty ledger. */
    public static Ledger create() {
        try (Fd made = MemoryFile.data("exec-server-ledger")) {
            Fd file = FileCalls.duplicate(made.number(), LOWEST_NUMBER);
            KeptFiles kept = null;
            try (Fd reading = FileCalls.open(
                    ("/proc/self/fd/" + made.number()).getBytes(StandardCharsets.US_ASCII), FileCalls.O_RDONLY, 0)) {
                kept = KeptFiles.create();
                return new Ledger(file, FileCalls.duplicate(reading.number(), LOWEST_NUMBER), kept);
            } catch (RuntimeException e) {
                file.close();
                Optional.ofNullable(kept).ifPresent(KeptFiles::close);
                throw e;
            }
        }
    }

    /** One thing to undo, until it is closed. Used by one thread at a time. */
    public final class Entry implements AutoCloseable {
        private final Slots.Slot slot;
        private boolean closed;

        private Entry(Slots.Slot slot) {
            this.slot = slot;
        }

        /** Records the identity of the object, after it was made. */
        public void identify(FileStatus object) {
            byte[] identity = padded(identity(object));
            ContentCalls.write(file, identity, 0, identity.length, slot.offset() + IDENTITY_AT);
        }

        /** Removes the entry: there is nothing to undo any more. */
        @Override
        public void close() {
            if (!closed) {
                closed = true;
                slots.free(slot);
            }
        }
    }

    /**
     * Adds an entry for something that will be made.
     *
     * @param path absolute, its parent without links
     * @return empty if the parent directory is missing or may not be searched; then nothing can be made there either
     */
    public Optional<Entry> intend(Kind kind, byte[] path) {
        try {
            return Optional.of(add(kind, path, UNKNOWN, new byte[0]));
        } catch (LinuxException e) {
            return switch (e.errno()) {
                case Errno.ENOENT, Errno.ENOTDIR, Errno.EACCES, Errno.ELOOP -> Optional.empty();
                default -> throw e;
            };
        }
    }

    /**
     * Adds an entry for something that will be made in an open directory. The identity of that directory is recorded, not that
     * of what its path leads to now.
     */
    public Entry intend(Kind kind, byte[] path, FileStatus directory) {
        return add(kind, path, directory, UNKNOWN, new byte[0]);
    }

    /** Adds an entry for something that exists in an open directory. */
    public Entry add(Kind kind, byte[] path, FileStatus object, FileStatus directory) {
        return add(kind, path, directory, identity(object), new byte[0]);
    }

    /** Adds an entry for something that exists. */
    public Entry add(Kind kind, byte[] path, FileStatus object) {
        return add(kind, path, identity(object), new byte[0]);
    }

    /** Adds an entry for a link. */
    public Entry addLink(byte[] path, byte[] target) {
        return add(Kind.LINK, path, UNKNOWN, target);
    }

    private Entry add(Kind kind, byte[] path, String object, byte[] word) {
        byte[] parent = parent(path);
        FileStatus above = FileCalls.status(parent, false);
        if (!above.directory()) {
            throw new LinuxException("statx", new String(parent, StandardCharsets.UTF_8), Errno.ENOTDIR);
        }
        return add(kind, path, above, object, word);
    }

    private Entry add(Kind kind, byte[] path, FileStatus above, String object, byte[] word) {
        byte[] name = Arrays.copyOfRange(path, lastSlash(path) + 1, path.length);
        StringBuilder line = new StringBuilder("+").append(kind.letter).append(' ');
        line.append(new String(padded(object), StandardCharsets.US_ASCII)).append(' ');
        line.append(identity(above)).append(' ');
        line.append(Escapes.escape(parent(path))).append(' ').append(Escapes.escape(name));
        if (word.length > 0) {
            line.append(' ').append(Escapes.escape(word));
        }
        return new Entry(slots.take(line.toString().getBytes(StandardCharsets.US_ASCII)));
    }

    private static byte[] parent(byte[] path) {
        int slash = lastSlash(path);
        return slash == 0 ? new byte[] {'/'} : Arrays.copyOf(path, slash);
    }

    private static int lastSlash(byte[] path) {
        int at = path.length - 1;
        while (at >= 0 && path[at] != '/') {
            at--;
        }
        if (at < 0 || at == path.length - 1) {
            throw new IllegalArgumentException("no absolute path with a name: " + Escapes.escape(path));
        }
        return at;
    }

    private static byte[] padded(String identity) {
        byte[] field = new byte[IDENTITY_BYTES];
        Arrays.fill(field, (byte) ' ');
        byte[] text = identity.getBytes(StandardCharsets.US_ASCII);
        System.arraycopy(text, 0, field, 0, text.length);
        return field;
    }

    /** Returns the identity as stat(1) prints it with {@code %d:%i}: the device in the encoding of makedev(3). */
    static String identity(FileStatus status) {
        long major = status.device() >>> 32;
        long minor = status.device() & 0xffff_ffffL;
        long device = (major & 0xffff_f000L) << 32 | (major & 0xfff) << 8 | (minor & 0xffff_ff00L) << 12 | minor & 0xff;
        return Long.toUnsignedString(device) + ':' + Long.toUnsignedString(status.inode());
    }

    /** Returns the file for the guardian, which can only read it. */
    public Fd reading() {
        return readOnly;
    }

    /** Returns the files that stay open until the guardian has killed the commands of this server. */
    public KeptFiles kept() {
        return kept;
    }

    /** Returns the lines of the present entries, for tests and messages. */
    public List<String> lines() {
        return slots.lines();
    }

    @Override
    public void close() {
        file.close();
        readOnly.close();
        kept.close();
    }
}
