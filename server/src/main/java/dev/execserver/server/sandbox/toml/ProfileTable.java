package dev.execserver.server.sandbox.toml;

import dev.execserver.protocol.permissions.Access;
import dev.execserver.protocol.rpc.RpcException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * One table {@code [permissions.NAME]}, before and after it has inherited.
 *
 * @param roots more workspace roots, absolute; false for those that are not used
 */
record ProfileTable(
        Optional<String> description,
        Optional<String> parent,
        FileRules files,
        Map<String, Boolean> roots,
        NetworkTable network) {
    static final String EXTENDS = "extends";
    static final String NETWORK = "network";

    private static final String DESCRIPTION = "description";
    private static final String ROOTS = "workspace_roots";
    private static final String FILES = "filesystem";
    private static final Set<String> KNOWN = Set.of(DESCRIPTION, EXTENDS, ROOTS, FILES, NETWORK);

    /** The built-in profiles that others can extend. */
    static final Map<String, ProfileTable> BUILT_IN = Map.of(
            ":read-only", builtIn(FileRules.builtIn(Map.of(":root", Access.READ), Map.of())),
            ":workspace",
                    builtIn(FileRules.builtIn(
                            Map.of(":root", Access.READ, ":slash_tmp", Access.WRITE, ":tmpdir", Access.WRITE),
                            Map.of(
                                    FilePaths.ITSELF,
                                    Access.WRITE,
                                    ".git",
                                    Access.READ,
                                    ".agents",
                                    Access.READ,
                                    ".codex",
                                    Access.READ))));

    private static ProfileTable builtIn(FileRules files) {
        return new ProfileTable(Optional.empty(), Optional.empty(), files, Map.of(), NetworkTable.NONE);
    }

    static ProfileTable read(TableReader in, FilePaths paths) {
        in.refuseOthers(KNOWN);
        Map<String, Boolean> roots = new LinkedHashMap<>();
        in.table(ROOTS).ifPresent(table -> {
            for (String root : table.keys()) {
                roots.put(
                        table.checked(root, () -> root(root, paths)),
                        table.bool(root).orElseThrow());
            }
        });
        return new ProfileTable(
                in.string(DESCRIPTION),
                in.string(EXTENDS),
                in.table(FILES).map(table -> FileRules.read(table, paths)).orElse(FileRules.NONE),
                roots,
                in.table(NETWORK).map(NetworkTable::read).orElse(NetworkTable.NONE));
    }

    private static String root(String path, FilePaths paths) {
        if (path.startsWith(":")) {
            throw RpcException.invalidParams("a workspace root must be a path, not `" + path + "`");
        }
        return paths.absolute(path);
    }

    /** Returns this profile with what it inherits. The description is not inherited. */
    ProfileTable over(ProfileTable inherited) {
        Map<String, Boolean> all = new LinkedHashMap<>(inherited.roots);
        all.putAll(roots);
        return new ProfileTable(description, parent, files.over(inherited.files), all, network.over(inherited.network));
    }

    List<String> usedRoots() {
        List<String> used = new ArrayList<>();
        roots.forEach((root, on) -> {
            if (on) {
                used.add(root);
            }
        });
        return used;
    }
}
