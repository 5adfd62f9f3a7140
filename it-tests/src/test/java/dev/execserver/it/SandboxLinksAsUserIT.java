package dev.execserver.it;

import java.util.List;

/** Protected names that are symbolic links, with a server that has no privilege at all. */
class SandboxLinksAsUserIT extends SandboxLinks {
    SandboxLinksAsUserIT() {
        super(List.of("setpriv", "--reuid=65534", "--regid=65534", "--clear-groups", "--bounding-set=-all"));
    }
}
