package dev.execserver.it;

import java.util.List;

/** Protected names that are symbolic links, with the server of these tests. */
class SandboxLinksIT extends SandboxLinks {
    SandboxLinksIT() {
        super(List.of());
    }
}
