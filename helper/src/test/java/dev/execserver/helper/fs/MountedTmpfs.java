package dev.execserver.helper.fs;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** A mounted tmpfs(5) that a test can fill up. Needs root. */
record MountedTmpfs(Path root) implements AutoCloseable {

    /**
     * Makes the directory if it does not exist, and mounts.
     *
     * @param options as for mount(8)
     */
    static MountedTmpfs at(Path root, String options) throws IOException {
        Files.createDirectories(root);
        run("mount", "-t", "tmpfs", "-o", options, "none", root.toString());
        return new MountedTmpfs(root);
    }

    @Override
    public void close() throws IOException {
        run("umount", root.toString());
    }

    private static void run(String... command) throws IOException {
        try {
            int status = new ProcessBuilder(command).inheritIO().start().waitFor();
            if (status != 0) {
                throw new IOException(String.join(" ", command) + ": status " + status);
            }
        } catch (InterruptedException e) {
            throw new IOException(e);
        }
    }
}
