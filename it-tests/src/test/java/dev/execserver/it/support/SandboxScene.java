package dev.execserver.it.support;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/**
 * A workspace, and profiles in which everything is readable and the workspace is writable. The workspace is not below
 * {@code /tmp}, which profiles of clients make writable.
 */
public final class SandboxScene implements AutoCloseable {
    private final Path base;
    private final Path workspace;

    public SandboxScene() {
        try {
            base = Files.createTempDirectory(Path.of("/var/tmp").toRealPath(), "exec-server-it-");
            workspace = Files.createDirectory(base.resolve("ws"));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Returns the parent of the workspace, which is only readable. */
    public Path base() {
        return base;
    }

    public Path workspace() {
        return workspace;
    }

    /** Returns the names in the workspace, sorted. */
    public List<String> names() {
        try (Stream<Path> files = Files.list(workspace)) {
            return files.map(file -> file.getFileName().toString()).sorted().toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Returns the start of a sandboxed shell in the workspace. */
    public Start shell(String script, ObjectNode... more) {
        return Start.shell(script).with("cwd", uri(workspace)).with("sandbox", sandbox(more));
    }

    /** Returns the sandbox context: everything readable, the workspace writable, and further entries. */
    public ObjectNode sandbox(ObjectNode... more) {
        List<ObjectNode> entries = new ArrayList<>();
        entries.add(special("root", "read"));
        entries.add(special("project_roots", "write"));
        entries.addAll(List.of(more));
        return Json.object(
                "permissions",
                Json.object(
                        "type", "managed",
                        "file_system", Json.object("type", "restricted", "entries", entries),
                        "network", "restricted"),
                "cwd",
                uri(workspace),
                "workspaceRoots",
                List.of(uri(workspace)),
                "windowsSandboxLevel",
                "disabled");
    }

    public static ObjectNode special(String kind, String access) {
        return Json.object(
                "path", Json.object("type", "special", "value", Json.object("kind", kind)), "access", access);
    }

    public static ObjectNode entry(Path path, String access) {
        return Json.object("path", Json.object("type", "path", "path", uri(path)), "access", access);
    }

    private static String uri(Path path) {
        return "file://" + path;
    }

    @Override
    public void close() {
        try (Stream<Path> files = Files.walk(base)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
