package dev.execserver.sandbox.resolve;

import dev.execserver.sandbox.paths.LinuxPath;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** Real files in a temporary directory outside of /tmp, which policies may make writable. */
public final class Tree implements AutoCloseable {
    private final Path root;

    public Tree() {
        try {
            // not below /tmp, which policies are about, on any build machine
            root = Files.createTempDirectory(Path.of("/var/tmp").toRealPath(), "exec-server-tree-");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    public Path root() {
        return root;
    }

    public LinuxPath path(String relative) {
        return LinuxPath.of(root.toString()).resolve(relative);
    }

    public Tree directory(String relative) {
        return io(() -> Files.createDirectories(root.resolve(relative)));
    }

    public Tree file(String relative, String content) {
        directory(parent(relative));
        return io(() -> Files.writeString(root.resolve(relative), content));
    }

    public Tree link(String relative, String target) {
        directory(parent(relative));
        return io(() -> Files.createSymbolicLink(root.resolve(relative), Path.of(target)));
    }

    private static String parent(String relative) {
        Path parent = Path.of(relative).getParent();
        return parent == null ? "" : parent.toString();
    }

    /** Returns all paths in it, without following links. */
    List<String> listing() {
        try (Stream<Path> files = Files.walk(root)) {
            return files.map(file -> root.relativize(file).toString()).sorted().toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Runs a shell line in a directory of the tree. */
    public void shell(String relative, String line) {
        try {
            Process process = new ProcessBuilder("/bin/sh", "-ec", line)
                    .directory(root.resolve(relative).toFile())
                    .redirectErrorStream(true)
                    .start();
            String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            if (!process.waitFor(10, TimeUnit.SECONDS) || process.exitValue() != 0) {
                throw new AssertionError(line + ": " + said);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    private interface Action {
        void run() throws IOException;
    }

    private Tree io(Action action) {
        try {
            action.run();
            return this;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void close() {
        if (!Files.exists(root, LinkOption.NOFOLLOW_LINKS)) {
            return;
        }
        try (Stream<Path> files = Files.walk(root)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
