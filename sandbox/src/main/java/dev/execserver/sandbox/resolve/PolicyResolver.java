package dev.execserver.sandbox.resolve;

import dev.execserver.protocol.permissions.Access;
import dev.execserver.protocol.permissions.Entry;
import dev.execserver.protocol.permissions.FileSystemPolicy;
import dev.execserver.protocol.permissions.FileSystemPolicy.Restricted;
import dev.execserver.protocol.permissions.NetworkPolicy;
import dev.execserver.protocol.permissions.PermissionProfile;
import dev.execserver.protocol.permissions.SpecialPath;
import dev.execserver.sandbox.glob.Ripgrep;
import dev.execserver.sandbox.paths.FileView;
import dev.execserver.sandbox.paths.PolicyRefusedException;
import dev.execserver.sandbox.resolve.ResolvedPolicy.Kind;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * Translates a permission profile into rules for the present files. The rules are documented in docs/permissions.md. Any
 * platform thread; blocks as long as the file system does.
 */
public final class PolicyResolver {
    private static final Restricted EVERYTHING =
            FileSystemPolicy.restricted(Entry.of(new SpecialPath.Root(), Access.WRITE));

    private final FileView files;
    private final Supplier<Optional<Ripgrep>> ripgrep;
    private final Supplier<ServerPaths> reserved;
    private final ResolutionMemory memory = new ResolutionMemory();

    /**
     * Makes the resolver of one server.
     *
     * @param ripgrep returns the program that searches for unreadable globs; called only if there are any; without a program
     *     the server reads the directories itself
     * @param reserved files of the server
     */
    public PolicyResolver(FileView files, Supplier<Optional<Ripgrep>> ripgrep, ServerPaths reserved) {
        this(files, ripgrep, () -> reserved);
    }

    /**
     * Makes the resolver of one server whose reserved files change.
     *
     * @param reserved returns the present reserved files; called for each policy
     */
    public PolicyResolver(FileView files, Supplier<Optional<Ripgrep>> ripgrep, Supplier<ServerPaths> reserved) {
        this.files = files;
        this.ripgrep = ripgrep;
        this.reserved = reserved;
    }

    /**
     * Returns the policy for one command or one file operation.
     *
     * @throws PolicyRefusedException if the profile cannot be enforced on the present files
     */
    public ResolvedPolicy resolve(PermissionProfile profile, PolicyDirectories directories) {
        return switch (profile) {
            case PermissionProfile.Disabled() -> ResolvedPolicy.UNSANDBOXED;
            case PermissionProfile.External(NetworkPolicy network) -> ResolvedPolicy.open(Kind.EXTERNAL, network);
            case PermissionProfile.Managed(Restricted policy, NetworkPolicy network) ->
                resolve(new ResolutionMemory.Policy(Kind.RESTRICTED, policy, network, directories, reserved.get()));
            case PermissionProfile.Managed(FileSystemPolicy.Unrestricted(), NetworkPolicy network) ->
                resolve(new ResolutionMemory.Policy(
                        Kind.UNRESTRICTED, EVERYTHING, network, directories, reserved.get()));
        };
    }

    private ResolvedPolicy resolve(ResolutionMemory.Policy policy) {
        return memory.resolve(
                policy,
                files,
                view -> new Resolution(view, ripgrep, policy.reserved(), policy.directories())
                        .resolve(policy.kind(), policy.files(), policy.network()));
    }
}
