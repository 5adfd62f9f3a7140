package dev.execserver.helper.fs;

import dev.execserver.sandbox.linux.DirectoryCalls;
import dev.execserver.sandbox.linux.Errno;
import dev.execserver.sandbox.linux.Fd;
import dev.execserver.sandbox.linux.FileCalls;
import dev.execserver.sandbox.linux.FileStatus;
import dev.execserver.sandbox.linux.LinuxException;
import java.nio.charset.StandardCharsets;
import java.text.Normalizer;
import java.util.Arrays;
import java.util.Locale;

/**
 * A name in a directory that file requests must not create. For commands a mount protects a name, but a mount needs an
 * existing file. The helper checks each change itself instead, so nothing is put into the workspace. The directory is
 * compared by device and inode, so that no link, second mount or rename leads around the check. Immutable.
 *
 * @param directory stays open, so that its inode number is not used again
 * @param folded the name as case-insensitive directories compare it; null where names are compared byte by byte
 */
@SuppressWarnings("ArrayRecordComponent") // refused names are never compared
record RefusedName(byte[] path, byte[] name, Fd directory, FileStatus identity, String folded) {
    /**
     * Characters that some file systems ignore in comparisons: soft hyphen, joiners, direction marks, byte order mark.
     */
    private static final String IGNORED = "[\\u00ad\\u034f\\u200b-\\u200f\\u202a-\\u202e\\u2060-\\u206f\\ufeff]";

    /**
     * Opens the directory of a refused name.
     *
     * @throws LinuxException when the directory does not exist
     */
    static RefusedName of(byte[] path) {
        Paths.Place place = Paths.split(path);
        Fd directory = Opener.open(place.parent(), FileCalls.O_PATH | FileCalls.O_DIRECTORY, 0, false);
        String folded = DirectoryCalls.bytesCount(directory) ? null : folded(place.name());
        return new RefusedName(path, place.name(), directory, FileCalls.status(directory), folded);
    }

    /** Returns true if an entry of that name in that directory would be this one. */
    boolean is(Fd parent, byte[] entry) {
        boolean named =
                folded == null ? Arrays.equals(entry, name) : folded(entry).equals(folded);
        return named && FileCalls.status(parent).sameFile(identity);
    }

    /** Returns true if the name exists by now and is that directory or a directory above it. */
    boolean holds(Fd inner) {
        FileStatus made;
        try {
            made = FileCalls.statusAt(directory, name, false);
        } catch (LinuxException e) {
            if (e.errno() == Errno.ENOENT) {
                return false;
            }
            throw e;
        }
        return made.directory() && above(inner, made);
    }

    private static boolean above(Fd inner, FileStatus wanted) {
        int flags = FileCalls.O_PATH | FileCalls.O_DIRECTORY;
        Fd here = Opener.open(inner.number(), Paths.HERE, flags, 0, 0);
        while (true) {
            try (Fd below = here) {
                FileStatus status = FileCalls.status(below);
                if (status.sameFile(wanted)) {
                    return true;
                }
                here = Opener.open(below.number(), Paths.UP, flags, 0, 0);
                if (FileCalls.status(here).sameFile(status)) {
                    here.close();
                    return false; // the root is its own parent
                }
            }
        }
    }

    /** Returns a form that is equal for all names that a file system may treat as equal, and for some more. */
    static String folded(byte[] name) {
        String text = Normalizer.normalize(new String(name, StandardCharsets.UTF_8), Normalizer.Form.NFKD)
                .replaceAll(IGNORED, "")
                .replaceAll("[. ]+$", "");
        return text.toUpperCase(Locale.ROOT).toLowerCase(Locale.ROOT);
    }
}
