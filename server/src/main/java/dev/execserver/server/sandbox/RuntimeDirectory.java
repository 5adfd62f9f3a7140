package dev.execserver.server.sandbox;

import dev.execserver.sandbox.bwrap.Placeholders;
import dev.execserver.server.config.FileErrors;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The directory of one running server for what must lie in a file system, readable by its user only. It goes with the
 * server; after a kill the guardian removes it. What commands of other servers still use on the host keeps the list of that in
 * place, for the next server.
 */
public final class RuntimeDirectory implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(RuntimeDirectory.class);

    private final Path path;

    private RuntimeDirectory(Path path) {
        this.path = path;
    }

    /** @param parent must exist and be writable */
    public static RuntimeDirectory create(Path parent) {
        try {
            return new RuntimeDirectory(Files.createTempDirectory(
                    parent,
                    "exec-server-",
                    PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------"))));
        } catch (IOException e) {
            throw new UncheckedIOException(new IOException(
                    "cannot make a directory for spill files in " + parent + ": " + FileErrors.text(e)
                            + "; see --spill-dir",
                    e));
        }
    }

    public Path path() {
        return path;
    }

    @Override
    public void close() {
        if (!Files.exists(path)) {
            return; // somebody who tidies up temporary files was faster
        }
        try (Stream<Path> walk = Files.walk(path)) {
            Optional<Path> kept = Placeholders.unfinishedJournal(path);
            List<Path> deepestFirst = walk.sorted(Comparator.reverseOrder()).toList();
            for (Path entry : deepestFirst) {
                if (kept.filter(journal -> journal.startsWith(entry)).isEmpty()) {
                    Files.deleteIfExists(entry);
                }
            }
        } catch (IOException | UncheckedIOException e) {
            LOG.warn("cannot remove {}: {}", path, e.toString());
        }
    }
}
