package dev.execserver.protocol.permissions;

import java.util.List;

/**
 * Names directly below a writable root that a command must neither change nor create, because programs outside the
 * sandbox execute or obey these files: git runs hooks, agents read instructions, cloud tools run credential helpers.
 */
public final class ProtectedNames {
    public static final List<String> ALL = List.of(".git", ".agents", ".codex", ".aws");

    private ProtectedNames() {}
}
