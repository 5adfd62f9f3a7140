package dev.execserver.it.container;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.execserver.it.support.Json;
import dev.execserver.it.support.Start;
import java.util.ArrayList;
import java.util.List;

/** Sandboxes to ask for, in the folder {@code /workspace} of the image. */
final class Policies {
    static final String WORKSPACE = "/workspace";

    private Policies() {}

    /** Everything readable, nothing writable, no network: Landlock and a filter enforce that as exactly as bubblewrap. */
    static ObjectNode readOnly() {
        return of(entry("root", "read"));
    }

    /** The workspace writable, but for its protected names: only mounts can do that. */
    static ObjectNode workspaceWrite() {
        return of(entry("root", "read"), entry("project_roots", "write"));
    }

    /** As {@link #workspaceWrite}, and one more path closed. */
    static ObjectNode workspaceWriteWithout(String denied) {
        return of(
                entry("root", "read"),
                entry("project_roots", "write"),
                Json.object("path", Json.object("type", "path", "path", "file://" + denied), "access", "deny"));
    }

    /** A shell script in the workspace under a sandbox. */
    static Start confined(ObjectNode sandbox, String script) {
        return inWorkspace(script).with("sandbox", sandbox);
    }

    static Start inWorkspace(String script) {
        return Start.shell(script).with("cwd", "file://" + WORKSPACE);
    }

    private static ObjectNode entry(String kind, String access) {
        return Json.object(
                "path", Json.object("type", "special", "value", Json.object("kind", kind)), "access", access);
    }

    private static ObjectNode of(ObjectNode... entries) {
        String uri = "file://" + WORKSPACE;
        return Json.object(
                "permissions",
                Json.object(
                        "type",
                        "managed",
                        "network",
                        "restricted",
                        "file_system",
                        Json.object("type", "restricted", "entries", new ArrayList<>(List.of(entries)))),
                "cwd",
                uri,
                "workspaceRoots",
                List.of(uri),
                "windowsSandboxLevel",
                "disabled");
    }
}
