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
 * One name in one directory that must not be made. A command is kept from it by a mount, for which something must exist; a
 * program of our own can look before each change, and nothing needs to be put into the workspace. The directory is compared by
 * device and inode, so that no link and no second mount leads around it, and no rename gets in between. Immutable.
 *
 * @param directory stays open: its inode number is not used again
 * @param folded the name as case-insensitive directories compare it; null where each byte counts
 */
@SuppressWarnings("ArrayRecordComponent") // nobody compares them
record RefusedName(byte[] path, byte[] name, Fd directory, FileStatus identity, String folded) {
    /** Left out by some file systems when they compare names: soft hyphen, joiners, marks of direction, byte order mark. */
    private static final String IGNORED = "[\\u00ad\\u034f\\u200b-\\u200f\\u202a-\\u202e\\u2060-\\u206f\\ufeff]";

    /** @throws LinuxException when there is no such directory */
    static RefusedName of(byte[] path) {
        Paths.Place place = Paths.split(path);
        Fd directory = Opener.open(place.parent(), FileCalls.O_PATH | FileCalls.O_DIRECTORY, 0, false);
        String folded = DirectoryCalls.bytesCount(directory) ? null : folded(place.name());
        return new RefusedName(path, place.name(), directory, FileCalls.status(directory), folded);
    }

    /** Returns true if an entry of that name would be this one. */
    boolean is(Fd parent, byte[] entry) {
        boolean named =
                folded == null ? Arrays.equals(entry, name) : folded(entry).equals(folded);
        return named && FileCalls.status(parent).sameFile(identity);
    }

    /** Returns true if something has the name by now and is that directory, or a directory above it. */
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

    /** More names than one file system takes for the same, never fewer. */
    static String folded(byte[] name) {
        String text = Normalizer.normalize(new String(name, StandardCharsets.UTF_8), Normalizer.Form.NFKD)
                .replaceAll(IGNORED, "")
                .replaceAll("[. ]+$", "");
        return text.toUpperCase(Locale.ROOT).toLowerCase(Locale.ROOT);
    }
}
