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
 * The hidden name of a temporary file that another process has made, and that stays when that process is killed. Whoever
 * made it need not be trusted: nothing is removed but a name of that kind that leads to the very file that was handed out.
 *
 * @param path where it was when the file was handed out
 */
@SuppressWarnings("ArrayRecordComponent") // a path is bytes, and nobody compares leftovers
public record Leftover(byte[] path) {

    /** Empty for a file without a name, and for what is no temporary file. */
    public static Optional<Leftover> of(RegularFile file) {
        try {
            String link = "/proc/self/fd/" + file.descriptor().number();
            byte[] path = FileCalls.readLink(link.getBytes(StandardCharsets.US_ASCII));
            return hidden(path) ? Optional.of(new Leftover(path)) : Optional.empty();
        } catch (LinuxException e) {
            return Optional.empty(); // without /proc nobody can tell
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
     * @return false when it does not, which is what happens after a commit, or when it cannot be removed
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
