package dev.execserver.protocol.permissions;

import dev.execserver.protocol.paths.PathUri;
import dev.execserver.protocol.permissions.FileSystemPolicy.Restricted;
import dev.execserver.protocol.permissions.PermissionProfile.Disabled;
import dev.execserver.protocol.permissions.PermissionProfile.External;
import dev.execserver.protocol.permissions.PermissionProfile.Managed;
import dev.execserver.protocol.permissions.SandboxPolicy.DangerFullAccess;
import dev.execserver.protocol.permissions.SandboxPolicy.ExternalSandbox;
import dev.execserver.protocol.permissions.SandboxPolicy.ReadOnly;
import dev.execserver.protocol.permissions.SandboxPolicy.WorkspaceWrite;
import dev.execserver.protocol.rpc.RpcException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Converts a legacy policy to a profile and, as far as possible, back. Pure functions. */
public final class PolicyConversion {
    private static final String IMPOSSIBLE =
            "permissions profile requests filesystem writes outside the workspace root, which is not supported until the"
                    + " runtime enforces FileSystemSandboxPolicy directly";

    private PolicyConversion() {}

    /** Returns the equivalent profile. */
    public static PermissionProfile toProfile(SandboxPolicy policy) {
        return switch (policy) {
            case DangerFullAccess() -> PermissionProfile.DISABLED;
            case ExternalSandbox(NetworkPolicy network) -> new External(network);
            case ReadOnly unused ->
                new Managed(
                        FileSystemPolicy.restricted(Entry.of(new SpecialPath.Root(), Access.READ)),
                        policy.networkPolicy());
            case WorkspaceWrite workspace -> new Managed(workspaceFiles(workspace), policy.networkPolicy());
        };
    }

    private static Restricted workspaceFiles(WorkspaceWrite policy) {
        List<Entry> entries = new ArrayList<>();
        entries.add(Entry.of(new SpecialPath.Root(), Access.READ));
        entries.add(Entry.of(SpecialPath.WORKSPACE, Access.WRITE));
        if (!policy.excludeSlashTmp()) {
            entries.add(Entry.of(new SpecialPath.SlashTmp(), Access.WRITE));
        }
        if (!policy.excludeTmpdirEnvVar()) {
            entries.add(Entry.of(new SpecialPath.Tmpdir(), Access.WRITE));
        }
        policy.writableRoots().forEach(root -> entries.add(Entry.of(root, Access.WRITE)));
        for (String name : ProtectedNames.ALL) {
            SpecialPath path = new SpecialPath.ProjectRoots(Optional.of(name));
            entries.add(new Entry(new PolicyPath.Special(path), Access.READ, true));
        }
        return new Restricted(entries);
    }

    /**
     * Returns the closest legacy policy. Legacy policies have no restricted reads, no denials and no globs: see
     * {@link #needsDirectEnforcement}.
     *
     * @param cwd the directory of the policy
     * @throws RpcException invalid params when the root is writable with exceptions, or when there are writable paths
     *     but the workspace is not one of them
     */
    public static SandboxPolicy toLegacy(PermissionProfile profile, PathUri cwd) {
        return switch (profile) {
            case Disabled() -> new DangerFullAccess();
            case External(NetworkPolicy network) -> new ExternalSandbox(network);
            case Managed(FileSystemPolicy files, NetworkPolicy network)
            when PolicyProperties.fullWrite(files) ->
                network.enabled() ? new DangerFullAccess() : new ExternalSandbox(NetworkPolicy.RESTRICTED);
            case Managed(Restricted files, NetworkPolicy network) -> restricted(files, network, cwd);
            case Managed(FileSystemPolicy.Unrestricted(), NetworkPolicy unused) ->
                throw new IllegalStateException("unrestricted files are all writable");
        };
    }

    private static SandboxPolicy restricted(Restricted files, NetworkPolicy network, PathUri cwd) {
        List<Entry> writes = files.entries().stream()
                .filter(entry -> entry.access().writable() && !(entry.path() instanceof PolicyPath.Glob))
                .filter(entry -> !(entry.names(new SpecialPath.Minimal())
                        || entry.path() instanceof PolicyPath.Special(SpecialPath.Unknown unused)))
                .toList();
        if (writes.isEmpty()) {
            return new ReadOnly(network.enabled());
        }
        boolean root = writes.stream().anyMatch(PolicyProperties::isRoot);
        if (root || writes.stream().noneMatch(entry -> isWorkspace(entry, cwd))) {
            throw RpcException.invalidParams(IMPOSSIBLE);
        }
        Set<PathUri> roots = new LinkedHashSet<>();
        for (Entry entry : writes) {
            literal(entry.path(), cwd).filter(path -> !path.equals(cwd)).ifPresent(roots::add);
        }
        boolean tmpdir = writes.stream().anyMatch(entry -> entry.names(new SpecialPath.Tmpdir()));
        boolean slashTmp = writes.stream().anyMatch(entry -> entry.names(new SpecialPath.SlashTmp()));
        return new WorkspaceWrite(List.copyOf(roots), network.enabled(), !tmpdir, !slashTmp);
    }

    private static boolean isWorkspace(Entry entry, PathUri cwd) {
        return entry.names(SpecialPath.WORKSPACE) || entry.path().equals(new PolicyPath.Exact(cwd));
    }

    /**
     * Returns the path of an entry, also for a subpath of the workspace. Empty for other special paths and for globs.
     */
    private static Optional<PathUri> literal(PolicyPath path, PathUri cwd) {
        return switch (path) {
            case PolicyPath.Exact(PathUri exact) -> Optional.of(exact);
            case PolicyPath.Special(SpecialPath.ProjectRoots(Optional<String> subpath)) ->
                subpath.map(s -> join(cwd, s));
            case PolicyPath.Special unused -> Optional.empty();
            case PolicyPath.Glob unused -> Optional.empty();
        };
    }

    /**
     * Returns true if the closest legacy policy has a different meaning, so that a backend that supports only legacy
     * policies must not be used. Compares the grants of both, place by place.
     *
     * @param cwd the directory of the policy, its only workspace root
     */
    public static boolean needsDirectEnforcement(PermissionProfile profile, PathUri cwd) {
        SandboxPolicy projection;
        try {
            projection = toLegacy(profile, cwd);
        } catch (RpcException e) {
            return true;
        }
        return !signature(files(profile), cwd).equals(signature(files(toProfile(projection)), cwd));
    }

    private static FileSystemPolicy files(PermissionProfile profile) {
        return switch (profile) {
            case Managed(FileSystemPolicy files, NetworkPolicy unused) -> files;
            case Disabled() -> FileSystemPolicy.UNRESTRICTED;
            case External(NetworkPolicy unused) -> FileSystemPolicy.UNRESTRICTED;
        };
    }

    /** Meaning of a policy, without the order and without the protections that every writable root has anyway. */
    private record Signature(boolean fullRead, boolean fullWrite, boolean platformDefaults, Set<String> grants) {}

    private static Signature signature(FileSystemPolicy policy, PathUri cwd) {
        boolean fullRead = PolicyProperties.fullRead(policy);
        Set<String> grants = new HashSet<>();
        if (policy instanceof Restricted(List<Entry> entries, var depth) && !PolicyProperties.fullWrite(policy)) {
            for (Entry entry : entries) {
                boolean says = !builtIn(entry, cwd)
                        && !(entry.path() instanceof PolicyPath.Special(SpecialPath.Unknown unused))
                        && !(entry.path() instanceof PolicyPath.Glob
                                && entry.access().readable());
                if (says) {
                    grants.add(entry.access() + " " + place(entry.path(), cwd));
                    grants.add(entry.path() instanceof PolicyPath.Glob ? "depth " + depth : "");
                }
            }
            grants.remove("");
            // A policy that may read everything gains nothing from the platform's directories.
            grants.removeIf(grant -> fullRead && grant.endsWith(" :minimal"));
        }
        return new Signature(
                fullRead,
                PolicyProperties.fullWrite(policy),
                PolicyProperties.platformDefaults(policy),
                Set.copyOf(grants));
    }

    private static boolean builtIn(Entry entry, PathUri cwd) {
        return entry.access() == Access.READ
                && ProtectedNames.ALL.stream()
                        .anyMatch(name -> place(entry.path(), cwd).equals(place(join(cwd, name))));
    }

    private static String place(PolicyPath path, PathUri cwd) {
        if (path.equals(new PolicyPath.Special(SpecialPath.WORKSPACE))) {
            return place(cwd);
        }
        return literal(path, cwd).map(PolicyConversion::place).orElseGet(() -> PolicyProperties.target(path));
    }

    private static String place(PathUri path) {
        return PolicyProperties.target(new PolicyPath.Exact(path));
    }

    private static PathUri join(PathUri directory, String relative) {
        byte[] base = directory.bytes();
        byte[] name = PathUri.ofNative("/" + relative).bytes();
        int length = base.length > 0 && base[base.length - 1] == '/' ? base.length - 1 : base.length;
        byte[] joined = new byte[length + name.length];
        System.arraycopy(base, 0, joined, 0, length);
        System.arraycopy(name, 0, joined, length, name.length);
        return PathUri.ofNative(joined);
    }
}
