package dev.execserver.it.support;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.nio.file.Path;
import java.util.List;

/** Makes the {@code sandbox} member of requests, as clients write it. */
public final class Policies {
    private Policies() {}

    /** Returns an entry for a place that has a name: {@code root}, {@code minimal}, {@code project_roots}, ... */
    public static ObjectNode entry(String kind, String access) {
        return Json.object(
                "path", Json.object("type", "special", "value", Json.object("kind", kind)), "access", access);
    }

    public static ObjectNode entry(Path path, String access) {
        return Json.object(
                "path", Json.object("type", "path", "path", path.toUri().toString()), "access", access);
    }

    /** Returns an entry that denies reading of all matches of a pattern. */
    public static ObjectNode denied(String pattern) {
        return Json.object("path", Json.object("type", "glob_pattern", "pattern", pattern), "access", "deny");
    }

    /** Returns a managed policy without network. The given directory is its cwd and its only workspace root. */
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

    /** Returns a policy in which everything is readable and the workspace is writable. */
    public static ObjectNode workspaceWrite(Path workspace) {
        return of(workspace, entry("root", "read"), entry("project_roots", "write"));
    }

    /** Returns a policy in which only the workspace and the files that programs need are readable, and nothing is writable. */
    public static ObjectNode narrow(Path workspace) {
        return of(workspace, entry("minimal", "read"), entry("project_roots", "read"));
    }
}
