package dev.execserver.cli.client.copy;

import dev.execserver.protocol.paths.PathUri;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * Recognizes paths to open files of processes: {@code /dev/stdout}, {@code /dev/fd/3}, {@code /proc/PID/fd/1} and links
 * to them, see proc_pid_fd(5). Stateless.
 */
final class OpenFiles {

    private static final Pattern DIRECTORY = Pattern.compile("/proc/[^/]+/(task/[^/]+/)?fd");
    private static final Set<String> NAMES = Set.of("/dev/stdin", "/dev/stdout", "/dev/stderr");

    /** Number of links that the kernel follows, see path_resolution(7). */
    private static final int MAX_LINKS = 40;

    private OpenFiles() {}

    /** Returns true if the path is one of the usual Linux names of the standard streams. */
    static boolean named(PathUri path) {
        return NAMES.contains(path.display());
    }

    /** Returns true if the entries of the directory are open files. */
    static boolean listedIn(PathUri realDirectory) {
        return DIRECTORY.matcher(realDirectory.display()).matches();
    }

    /**
     * Returns true if the path leads to an open file. Follows its links one by one, because the last link leads past
     * the open file to its own path.
     */
    static boolean reachedBy(Path path) throws IOException {
        Path at = path;
        for (int links = 0; links < MAX_LINKS; links++) {
            Path directory = at.getParent();
            if (directory == null) {
                return false;
            }
            try {
                if (listedIn(LocalPaths.uri(directory.toRealPath()))) {
                    return true;
                }
            } catch (NoSuchFileException | NotDirectoryException e) {
                return false; // other code reports errors of the path
            }
            if (!Files.isSymbolicLink(at)) {
                return false;
            }
            at = directory.resolve(Files.readSymbolicLink(at));
        }
        return false;
    }
}
