package dev.execserver.server.sandbox;

import dev.execserver.protocol.permissions.Entry;
import dev.execserver.protocol.permissions.FileSystemPolicy;
import dev.execserver.protocol.permissions.PermissionProfile;
import dev.execserver.protocol.permissions.PolicyPath;
import dev.execserver.protocol.permissions.SpecialPath;
import java.util.List;

/** Tells which profiles have entries that start at the directory of the policy. Stateless. */
final class DynamicPaths {

    private DynamicPaths() {}

    static boolean needDirectory(PermissionProfile profile) {
        return profile
                        instanceof
                        PermissionProfile.Managed(FileSystemPolicy.Restricted(List<Entry> entries, var _), var _)
                && entries.stream().map(Entry::path).anyMatch(DynamicPaths::needsDirectory);
    }

    private static boolean needsDirectory(PolicyPath path) {
        return switch (path) {
            case PolicyPath.Special(SpecialPath.ProjectRoots _) -> true;
            case PolicyPath.Glob(String pattern) -> !pattern.startsWith("/") && !pattern.startsWith("~/");
            case PolicyPath.Special _, PolicyPath.Exact _ -> false;
        };
    }
}
