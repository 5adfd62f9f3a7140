package dev.execserver.helper.fs;

import dev.execserver.sandbox.linux.DirectoryCalls;
import dev.execserver.sandbox.linux.Fd;
import dev.execserver.sandbox.linux.FileCalls;
import dev.execserver.sandbox.linux.FileStatus;
import dev.execserver.sandbox.linux.LinuxException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Optional;

/**
 * Name of a temporary file that a helper process made and leaves behind if it is killed. The helper is not trusted: a
 * name is removed only if it has the prefix of temporary files and still leads to the file that the helper handed out.
 *
 * @param path the path of the file when it was handed out
 */
@SuppressWarnings("ArrayRecordComponent") // a path is bytes, and leftovers are never compared
public record LeftoverFile(byte[] path) {

    /** Returns the name of an open file, or empty if it has none or is no temporary file. */
    public static Optional<LeftoverFile> of(RegularFile file) {
        try {
            String link = "/proc/self/fd/" + file.descriptor().number();
            byte[] path = FileCalls.readLink(link.getBytes(StandardCharsets.US_ASCII));
            return hidden(path) ? Optional.of(new LeftoverFile(path)) : Optional.empty();
        } catch (LinuxException e) {
            return Optional.empty(); // without /proc the name is unknown
        }
    }

    private static boolean hidden(byte[] path) {
        byte[] prefix = TemporaryFile.PREFIX.getBytes(StandardCharsets.US_ASCII);
        byte[] name = name(path);
        return path[0] == '/'
                && name.length > prefix.length
                && Arrays.equals(name, 0, prefix.length, prefix, 0, prefix.length);
    }

    private static byte[] name(byte[] path) {
        int start = path.length;
        while (start > 0 && path[start - 1] != '/') {
            start--;
        }
        return Arrays.copyOfRange(path, start, path.length);
    }

    /**
     * Removes the name if it still leads to the file.
     *
     * @return false when it does not, as after a commit, or when the removal fails
     */
    public boolean remove(RegularFile file) {
        Paths.Place place = Paths.split(path);
        try (Fd directory = Opener.parent(place.parent(), false)) {
            FileStatus there = FileCalls.statusAt(directory, place.name(), false);
            if (!there.sameFile(file.currentStatus())) {
                return false;
            }
            DirectoryCalls.removeFile(directory, place.name());
            return true;
        } catch (LinuxException e) {
            return false;
        }
    }
}
