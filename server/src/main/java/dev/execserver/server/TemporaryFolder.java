package dev.execserver.server;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/** Says why a path is no folder for temporary files. Stateless; blocks. */
final class TemporaryFolder {
    /** Folders that the kernel provides. Root can write some of their files, but they are no place for new ones. */
    private static final List<Path> OF_THE_KERNEL = List.of(Path.of("/proc"), Path.of("/sys"), Path.of("/dev"));

    private static final Path SHARED_MEMORY = Path.of("/dev/shm");
    private static final Path ROOT = Path.of("/");

    private TemporaryFolder() {}

    /** Continues a sentence whose subject is the path; empty when files can be made there. */
    static Optional<String> fault(Path folder) {
        if (!Files.exists(folder)) {
            return Optional.of("does not exist");
        }
        if (!Files.isDirectory(folder)) {
            return Optional.of("is no directory");
        }
        return place(folder).or(() -> unwritable(folder));
    }

    private static Optional<String> place(Path folder) {
        Path real;
        try {
            real = folder.toRealPath();
        } catch (IOException e) {
            return Optional.of("cannot be looked at");
        }
        if (real.equals(ROOT)) {
            return Optional.of("is the root of the file system");
        }
        return OF_THE_KERNEL.stream().anyMatch(real::startsWith) && !real.startsWith(SHARED_MEMORY)
                ? Optional.of("belongs to the kernel (/proc, /sys and /dev do)")
                : Optional.empty();
    }

    private static Optional<String> unwritable(Path folder) {
        return Files.isWritable(folder) && Files.isExecutable(folder)
                ? Optional.empty()
                : Optional.of("is not writable for the server");
    }
}
