package dev.execserver.it.kill;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Collection;
import java.util.List;
import java.util.stream.Stream;

/** The control groups of servers, which have the names of their folders. */
final class Groups {
    private static final Path ROOT = Path.of("/sys/fs/cgroup");
    private static final int DEPTH = 8;

    private Groups() {}

    /** Those of these servers and of their commands. */
    static List<Path> of(Collection<String> servers) {
        try (Stream<Path> all = Files.find(ROOT, DEPTH, (path, attributes) -> attributes.isDirectory())) {
            return all.filter(path -> servers.contains(path.getFileName().toString())
                            || servers.contains(path.getParent().getFileName().toString()))
                    .sorted()
                    .toList();
        } catch (IOException | UncheckedIOException e) {
            return List.of(ROOT); // one has gone while we looked: look again
        }
    }

    /** Removes it; false while something is in it. */
    static boolean remove(Path group) {
        try {
            Files.deleteIfExists(group);
            return true;
        } catch (NoSuchFileException e) {
            return true;
        } catch (DirectoryNotEmptyException e) {
            return false;
        } catch (FileSystemException e) { // EBUSY
            return false;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
