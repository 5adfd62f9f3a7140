package dev.execserver.it.support;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Comparator;
import java.util.function.Supplier;
import java.util.stream.Stream;

/**
 * A copy of the packaged server in a place that every user can read and that a separate /tmp does not hide. The build itself
 * may be anywhere, for example below root's home directory. One test thread at a time.
 */
public final class DistributionCopy implements AutoCloseable {
    private static final String DISTRIBUTION = "exec.server.dist";

    private final Path folder;

    private DistributionCopy(Path folder) {
        this.folder = folder;
    }

    public static DistributionCopy create(String name) {
        try {
            Path folder = Files.createTempDirectory(Path.of("/var/tmp"), name).toRealPath();
            Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxrwxrwx"));
            Path built = Path.of(System.getProperty(DISTRIBUTION, "../server/target/dist"))
                    .toAbsolutePath()
                    .normalize();
            Path copy = folder.resolve("dist");
            try (Stream<Path> files = Files.walk(built)) {
                for (Path file : files.toList()) {
                    Files.copy(file, copy.resolve(built.relativize(file).toString()));
                }
            }
            return new DistributionCopy(folder);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Returns the folder of the copy; every user may write into it. */
    public Path folder() {
        return folder;
    }

    /** Calls the starter, which then uses the copy instead of the distribution. */
    public <T> T start(Supplier<T> starter) {
        String built = System.getProperty(DISTRIBUTION);
        System.setProperty(DISTRIBUTION, folder.resolve("dist").toString());
        try {
            return starter.get();
        } finally {
            if (built == null) {
                System.clearProperty(DISTRIBUTION);
            } else {
                System.setProperty(DISTRIBUTION, built);
            }
        }
    }

    @Override
    public void close() {
        try (Stream<Path> files = Files.walk(folder)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
