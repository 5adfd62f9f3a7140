package dev.execserver.sandbox.bwrap;

import dev.execserver.sandbox.limits.ControlGroups;
import dev.execserver.sandbox.linux.Fd;
import dev.execserver.sandbox.linux.LinuxException;
import dev.execserver.sandbox.resolve.LinuxPath;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;

/** Takes away what servers that were killed together with their guardians have left on the host. Stateless; blocks. */
final class LeftBehind {
    private static final System.Logger LOG = System.getLogger(LeftBehind.class.getName());

    private LeftBehind() {}

    /** @param own directory of this server; those of others lie beside it */
    static void removeAll(Path own) {
        Optional<Path> parent = Optional.ofNullable(own.getParent());
        if (parent.isEmpty()) {
            return;
        }
        try (DirectoryStream<Path> siblings = Files.newDirectoryStream(
                parent.get(), own.getFileName().toString().replaceAll("-[^-]*$", "-*"))) {
            for (Path sibling : siblings) {
                cleanUp(sibling.resolve(PlaceholderJournal.NAME));
            }
        } catch (IOException | UncheckedIOException | LinuxException e) {
            LOG.log(System.Logger.Level.WARNING, "cannot clean up after earlier servers: {0}", e.getMessage());
        }
    }

    private static void cleanUp(Path journal) throws IOException {
        if (!Files.isRegularFile(journal) || !Files.getOwner(journal).equals(Files.getOwner(Path.of("/proc/self")))) {
            return;
        }
        Optional<Fd> lock = PlaceholderJournal.takeOver(journal);
        if (lock.isEmpty()) {
            return;
        }
        try (Fd _ = lock.get()) {
            for (Map.Entry<LinuxPath, Long> left :
                    PlaceholderJournal.leftBehind(journal).entrySet()) {
                PlaceholderJournal.removeIfUntouched(left.getKey(), left.getValue());
                LOG.log(System.Logger.Level.INFO, "removed {0}, left by a server that was killed", left.getKey());
            }
            LinkJournal.restoreAfter(journal.getParent());
            ControlGroups.removeAfter(journal.getParent());
            removeDirectory(journal.getParent());
        }
    }

    /** There are only files in it; the journal goes last, because without it nobody would come back. */
    private static void removeDirectory(Path directory) throws IOException {
        Path journal = directory.resolve(PlaceholderJournal.NAME);
        try (DirectoryStream<Path> files = Files.newDirectoryStream(directory)) {
            for (Path file : files) {
                if (!file.equals(journal)) {
                    Files.delete(file);
                }
            }
        }
        Files.delete(journal);
        Files.delete(directory);
    }
}
