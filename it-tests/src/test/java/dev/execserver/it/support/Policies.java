package dev.execserver.it.support;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.nio.file.Path;
import java.util.List;

/** The {@code sandbox} member of requests, as clients write it. */
public final class Policies {
    private Policies() {}

    /** An entry for a place that has a name: {@code root}, {@code minimal}, {@code project_roots}, ... */
    public static ObjectNode entry(String kind, String access) {
        return Json.object(
                "path", Json.object("type", "special", "value", Json.object("kind", kind)), "access", access);
    }

    public static ObjectNode entry(Path path, String access) {
        return Json.object(
                "path", Json.object("type", "path", "path", path.toUri().toString()), "access", access);
    }

    /** What the pattern matches must not be read. */
    public static ObjectNode denied(String pattern) {
        return Json.object("path", Json.object("type", "glob_pattern", "pattern", pattern), "access", "deny");
    }

    /** A managed policy without network, whose directory and only workspace root is the given one. */
    public static ObjectNode of(Path workspace, ObjectNode... entries) {
        return Json.object(
                "permissions",
                Json.object(
                        "type", "managed",
                        "file_system", Json.object("type", "restricted", "entries", List.of(entries)),
                        "network", "restricted"),
                "cwd",
                workspace.toUri().toString(),
                "workspaceRoots",
                List.of(workspace.toUri().toString()),
                "windowsSandboxLevel",
                "disabled");
    }

    /** Everything can be read, the workspace be written. */
    public static ObjectNode workspaceWrite(Path workspace) {
        return of(workspace, entry("root", "read"), entry("project_roots", "write"));
    }

    /** Nothing but the workspace and what programs need, and that only be read. */
    public static ObjectNode narrow(Path workspace) {
        return of(workspace, entry("minimal", "read"), entry("project_roots", "read"));
    }
}
