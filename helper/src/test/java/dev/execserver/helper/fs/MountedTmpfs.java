package dev.execserver.helper.fs;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** A tmpfs(5) that can be filled. Needs root. */
record MountedTmpfs(Path root) implements AutoCloseable {

    /**
     * Makes a directory if there is none, and mounts.
     *
     * @param options as mount(8) has them
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
