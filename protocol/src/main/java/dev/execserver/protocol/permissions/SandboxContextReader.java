package dev.execserver.protocol.permissions;

import dev.execserver.protocol.paths.PathUri;
import dev.execserver.protocol.permissions.PermissionProfile.External;
import dev.execserver.protocol.permissions.PermissionProfile.Managed;
import dev.execserver.protocol.rpc.Dialect;
import dev.execserver.protocol.rpc.JsonSlice;
import dev.execserver.protocol.rpc.ParamsReader;
import dev.execserver.protocol.rpc.RpcException;
import java.util.List;
import java.util.Optional;

/** Collects the members of a sandbox object of any release. */
final class SandboxContextReader {
    private static final List<String> WINDOWS_LEVELS = List.of("disabled", "restricted-token", "elevated", "mxc");

    private final Dialect dialect;
    private Optional<PermissionProfile> permissions = Optional.empty();
    private Optional<PathUri> cwd = Optional.empty();
    private Optional<List<PathUri>> workspaceRoots = Optional.empty();
    private Optional<PolicyContext> policyContext = Optional.empty();
    private Optional<PathUri> userHomeDir = Optional.empty();
    private Optional<List<PathUri>> temporaryDirectories = Optional.empty();
    private Optional<String> windowsSandboxLevel = Optional.empty();
    private boolean useLegacyLandlock;
    private Optional<SandboxPolicy> legacy = Optional.empty();
    private Optional<PathUri> legacyCwd = Optional.empty();
    private Optional<Optional<FileSystemPolicy>> legacyFiles = Optional.empty();
    private Optional<AdditionalPermissions> additional = Optional.empty();

    /** Newer carrier of two members. If it is present, both members come from it, even an empty list of roots. */
    private record PolicyContext(Optional<PathUri> cwd, Optional<List<PathUri>> workspaceRoots) {}

    private SandboxContextReader(Dialect dialect) {
        this.dialect = dialect;
    }

    /** @param known profile from elsewhere, for an object without one */
    static SandboxContext read(JsonSlice value, Dialect dialect, Optional<PermissionProfile> known) {
        ParamsReader in = ParamsReader.of(value, "FileSystemSandboxContext");
        SandboxContextReader members = new SandboxContextReader(dialect);
        while (in.next()) {
            members.take(in);
        }
        members.permissions = members.permissions.or(() -> known);
        return members.build();
    }

    private void take(ParamsReader in) {
        String name = in.name();
        switch (name) {
            case "permissions" ->
                permissions = Optional.of(MemberPath.in(
                        name,
                        () -> in.struct("PermissionProfile", profile -> PermissionProfile.read(profile, dialect))));
            case "cwd" -> cwd = path(in, name);
            case "workspaceRoots" -> workspaceRoots = paths(in, name);
            case "policyContext" ->
                policyContext = MemberPath.in(name, () -> in.structOrNull("SandboxPolicyContext", this::policyContext));
            case "userHomeDir" -> userHomeDir = path(in, name);
            case "temporaryDirectories" -> temporaryDirectories = paths(in, name);
            case "windowsSandboxLevel" ->
                windowsSandboxLevel = MemberPath.in(name, () -> word(in, "one of", WINDOWS_LEVELS));
            case "windowsSandboxProxySettingsMode" ->
                MemberPath.in(name, () -> word(in, "one of", List.of("reconcile", "preserve")));
            case "sandboxOverride" ->
                MemberPath.in(
                        name,
                        () -> word(
                                in,
                                "one of",
                                List.of(
                                        "noOverride",
                                        "escalatedSandboxWithRestrictions",
                                        "bypassSandboxFirstAttempt")));
            case "useLegacyLandlock" -> useLegacyLandlock = MemberPath.in(name, in::bool);
            case "windowsSandboxPrivateDesktop" -> MemberPath.in(name, in::bool);
            default -> {
                if (dialect.open()) {
                    takeOld(in, name);
                }
            }
        }
    }

    /** Reads the members of the first releases. */
    private void takeOld(ParamsReader in, String name) {
        switch (name) {
            case "sandboxPolicy" ->
                legacy = Optional.of(MemberPath.in(name, () -> SandboxPolicyReader.read(in.slice(), dialect)));
            case "sandboxPolicyCwd" -> legacyCwd = path(in, name);
            case "fileSystemSandboxPolicy" ->
                legacyFiles = MemberPath.in(
                        name, () -> in.structOrNull("FileSystemSandboxPolicy", f -> FileSystemReader.kind(f, dialect)));
            case "additionalPermissions" ->
                additional = MemberPath.in(
                        name,
                        () -> in.structOrNull(
                                "AdditionalPermissionProfile", a -> AdditionalPermissions.read(a, dialect)));
            default -> {}
        }
    }

    private PolicyContext policyContext(ParamsReader in) {
        Optional<PathUri> directory = Optional.empty();
        Optional<List<PathUri>> roots = Optional.empty();
        while (in.next()) {
            String name = in.name();
            switch (name) {
                case "cwd" -> directory = path(in, name);
                case "workspaceRoots" -> roots = paths(in, name);
                default -> {}
            }
        }
        return new PolicyContext(directory, roots);
    }

    private Optional<PathUri> path(ParamsReader in, String name) {
        return MemberPath.in(name, () -> in.stringOrNull().map(text -> parse(text, name)));
    }

    private Optional<List<PathUri>> paths(ParamsReader in, String name) {
        return MemberPath.stringsOrNull(in, name, text -> parse(text, name));
    }

    private PathUri parse(String text, String role) {
        return PathUri.parse(text, dialect).requireLinux(role);
    }

    private static Optional<String> word(ParamsReader in, String quantity, List<String> words) {
        Optional<String> word = in.stringOrNull();
        word.filter(given -> !words.contains(given)).ifPresent(given -> {
            throw ParamsReader.unknownVariant(given, quantity + " `" + String.join("`, `", words) + "`");
        });
        return word;
    }

    private SandboxContext build() {
        Optional<SandboxPolicy> old = permissions.isPresent() ? Optional.empty() : legacy;
        PermissionProfile profile =
                permissions.or(() -> old.map(this::converted)).orElseThrow(() -> ParamsReader.missing("permissions"));
        if (!dialect.open() && windowsSandboxLevel.isEmpty()) {
            throw ParamsReader.missing("windowsSandboxLevel");
        }
        Optional<PathUri> directory = policyContext.map(PolicyContext::cwd).orElseGet(() -> cwd.or(() -> legacyCwd));
        List<PathUri> roots = policyContext
                .map(context -> context.workspaceRoots().orElse(List.of()))
                .or(() -> workspaceRoots)
                // The first releases had one directory, which was the workspace.
                .or(() -> old.flatMap(unused -> directory).map(List::of))
                .orElse(List.of());
        return new SandboxContext(
                additional.map(overlay -> applied(profile, overlay)).orElse(profile),
                directory,
                roots,
                userHomeDir,
                temporaryDirectories,
                windowsSandboxLevel.orElse(SandboxContext.NO_WINDOWS_SANDBOX),
                useLegacyLandlock);
    }

    private static PermissionProfile applied(PermissionProfile profile, AdditionalPermissions overlay) {
        try {
            return PermissionMerger.apply(profile, PermissionMerger.normalise(overlay));
        } catch (RpcException e) {
            throw MemberPath.at("additionalPermissions", e);
        }
    }

    /**
     * Converts the legacy policy. The finer file policy is used if it was sent too; the network is always that of the
     * legacy policy.
     */
    private PermissionProfile converted(SandboxPolicy policy) {
        if (legacyFiles.isEmpty()) {
            return PolicyConversion.toProfile(policy);
        }
        NetworkPolicy network = policy.networkPolicy();
        return legacyFiles
                .get()
                .<PermissionProfile>map(files -> new Managed(files, network))
                .orElseGet(() -> new External(network));
    }
}
