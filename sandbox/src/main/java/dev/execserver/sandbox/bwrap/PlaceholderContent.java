package dev.execserver.sandbox.bwrap;

import dev.execserver.sandbox.linux.ContentCalls;
import dev.execserver.sandbox.linux.Fd;
import dev.execserver.sandbox.linux.FileStatus;
import dev.execserver.sandbox.paths.LinuxPath;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * Content of placeholders that are files: none, but for {@code commondir}. Git takes that file for the place of the repository and
 * fails where an empty file or a directory stands for it (gitrepository-layout(5)), so it names the directory that it lies in,
 * which is what git assumes without the file. The guardian knows it too.
 */
final class PlaceholderContent {
    private static final byte[] COMMON_DIRECTORY = "commondir".getBytes(StandardCharsets.US_ASCII);
    private static final byte[] THIS_DIRECTORY = ".\n".getBytes(StandardCharsets.US_ASCII);
    private static final byte[] NOTHING = {};

    private PlaceholderContent() {}

    /** Returns the content of a placeholder of this name. */
    static byte[] of(LinuxPath path) {
        return isCommonDirectory(path) ? THIS_DIRECTORY : NOTHING;
    }

    static boolean isCommonDirectory(LinuxPath path) {
        return Arrays.equals(path.name(), COMMON_DIRECTORY);
    }

    /** Returns true if a file of this length may be a placeholder. */
    static boolean possible(LinuxPath path, FileStatus status) {
        return status.size() == 0 || status.size() == of(path).length;
    }

    /** Returns true if nobody has written into this placeholder. */
    static boolean untouched(LinuxPath path, FileStatus status, Fd fd) {
        if (status.size() == 0 || !possible(path, status)) {
            return status.size() == 0;
        }
        byte[] found = new byte[THIS_DIRECTORY.length];
        return ContentCalls.read(fd, found, 0, found.length, 0) == found.length && Arrays.equals(found, of(path));
    }
}
