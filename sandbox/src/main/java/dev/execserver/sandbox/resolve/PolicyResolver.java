package dev.execserver.sandbox.resolve;

import dev.execserver.protocol.permissions.Access;
import dev.execserver.protocol.permissions.Entry;
import dev.execserver.protocol.permissions.FileSystemPolicy;
import dev.execserver.protocol.permissions.FileSystemPolicy.Restricted;
import dev.execserver.protocol.permissions.NetworkPolicy;
import dev.execserver.protocol.permissions.PermissionProfile;
import dev.execserver.protocol.permissions.SpecialPath;
import dev.execserver.sandbox.resolve.ResolvedPolicy.Kind;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * Works out what a profile means here and now. Any platform thread; blocks for as long as the file system likes. The rules
 * are those of docs/permissions.md.
 */
public final class PolicyResolver {
    private static final Restricted EVERYTHING =
            FileSystemPolicy.restricted(Entry.of(new SpecialPath.Root(), Access.WRITE));

    private final FileView files;
    private final Supplier<Optional<Ripgrep>> ripgrep;
    private final Supplier<Reserved> reserved;
    private final ResolutionMemory memory = new ResolutionMemory();

    /**
     * A resolver for one server.
     *
     * @param ripgrep searches for unreadable globs, asked for when there are any; without it the server reads the directories itself
     * @param reserved files of the server
     */
    public PolicyResolver(FileView files, Supplier<Optional<Ripgrep>> ripgrep, Reserved reserved) {
        this(files, ripgrep, () -> reserved);
    }

    /**
     * As before, for files of the server that change.
     *
     * @param reserved asked for each policy
     */
    public PolicyResolver(FileView files, Supplier<Optional<Ripgrep>> ripgrep, Supplier<Reserved> reserved) {
        this.files = files;
        this.ripgrep = ripgrep;
        this.reserved = reserved;
    }

    /**
     * The policy for one command, or one file operation.
     *
     * @throws PolicyRefusedException when what the profile says cannot be enforced on the files as they are
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
