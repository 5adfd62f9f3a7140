package dev.execserver.protocol.app;

import dev.execserver.protocol.paths.PathUri;
import dev.execserver.protocol.permissions.Access;
import dev.execserver.protocol.permissions.Entry;
import dev.execserver.protocol.permissions.FileSystemPolicy;
import dev.execserver.protocol.permissions.NetworkPolicy;
import dev.execserver.protocol.permissions.PermissionProfile;
import dev.execserver.protocol.permissions.PolicyConversion;
import dev.execserver.protocol.permissions.SandboxPolicy;
import dev.execserver.protocol.permissions.SpecialPath;
import dev.execserver.protocol.rpc.Dialect;
import dev.execserver.protocol.rpc.JsonSlice;
import dev.execserver.protocol.rpc.ParamsReader;
import dev.execserver.protocol.rpc.RpcException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Reads the {@code sandboxPolicy} of a command and converts it to a profile. In the open dialect a restricted read
 * access of older releases becomes part of the profile; in the strict one it is refused, as in the newest release.
 */
final class CommandPolicyReader {

    private static final String VARIANTS = "one of `dangerFullAccess`, `readOnly`, `externalSandbox`, `workspaceWrite`";

    private final Dialect dialect;
    private String type;
    private List<PathUri> writableRoots = List.of();
    private Optional<JsonSlice> network = Optional.empty();
    private boolean excludeTmpdir;
    private boolean excludeSlashTmp;
    private Optional<ReadAccess> access = Optional.empty();
    private Optional<ReadAccess> readOnlyAccess = Optional.empty();

    /** A restricted read access. */
    private record ReadAccess(boolean platformDefaults, List<PathUri> roots) {}

    private CommandPolicyReader(Dialect dialect) {
        this.dialect = dialect;
    }

    static PermissionProfile read(JsonSlice value, Dialect dialect) {
        ParamsReader in = members(value);
        CommandPolicyReader policy = new CommandPolicyReader(dialect);
        while (in.next()) {
            policy.take(in);
        }
        return policy.profile(in.required("type", policy.type));
    }

    private static ParamsReader members(JsonSlice value) {
        try {
            return ParamsReader.of(value, "");
        } catch (RpcException e) {
            throw RpcException.invalidParams(
                    e.message().replace("struct ", "internally tagged enum SandboxPolicyDeserialize"));
        }
    }

    private void take(ParamsReader in) {
        switch (in.name()) {
            case "type" -> type = in.string();
            case "writableRoots" ->
                writableRoots =
                        in.strings().stream().map(CommandPolicyReader::path).toList();
            case "networkAccess" -> network = Optional.of(in.slice());
            case "excludeTmpdirEnvVar" -> excludeTmpdir = in.bool();
            case "excludeSlashTmp" -> excludeSlashTmp = in.bool();
            case "access" -> access = in.struct("ReadOnlyAccess", CommandPolicyReader::readAccess);
            case "readOnlyAccess" -> readOnlyAccess = in.struct("ReadOnlyAccess", CommandPolicyReader::readAccess);
            default -> {}
        }
    }

    static PathUri path(String text) {
        if (!text.startsWith("/")) {
            throw RpcException.invalidParams("AbsolutePathBuf deserialized without a base path");
        }
        return PathUri.ofNative(text);
    }

    private static Optional<ReadAccess> readAccess(ParamsReader in) {
        String type = null;
        boolean defaults = true;
        List<PathUri> roots = List.of();
        while (in.next()) {
            switch (in.name()) {
                case "type" -> type = in.string();
                case "includePlatformDefaults" -> defaults = in.bool();
                case "readableRoots" ->
                    roots = in.strings().stream().map(CommandPolicyReader::path).toList();
                default -> {}
            }
        }
        return switch (in.required("type", type)) {
            case "fullAccess" -> Optional.empty();
            case "restricted" -> Optional.of(new ReadAccess(defaults, roots));
            default -> throw ParamsReader.unknownVariant(type, "`fullAccess` or `restricted`");
        };
    }

    private PermissionProfile profile(String given) {
        return switch (given) {
            case "dangerFullAccess" -> PermissionProfile.DISABLED;
            case "externalSandbox" -> new PermissionProfile.External(word());
            case "readOnly" -> restrictReads(new SandboxPolicy.ReadOnly(flag()), supported(access, "readOnly.access"));
            case "workspaceWrite" ->
                restrictReads(
                        new SandboxPolicy.WorkspaceWrite(writableRoots, flag(), excludeTmpdir, excludeSlashTmp),
                        supported(readOnlyAccess, "workspaceWrite.readOnlyAccess"));
            default -> throw ParamsReader.unknownVariant(given, VARIANTS);
        };
    }

    private Optional<ReadAccess> supported(Optional<ReadAccess> wanted, String member) {
        if (wanted.isPresent() && !dialect.open()) {
            throw RpcException.invalidParams(
                    member + " is no longer supported; use permissionProfile for restricted reads");
        }
        return wanted;
    }

    /** Replaces the permission to read everything by the restricted one. The workspace itself stays readable. */
    private static PermissionProfile restrictReads(SandboxPolicy policy, Optional<ReadAccess> reads) {
        PermissionProfile whole = PolicyConversion.toProfile(policy);
        if (reads.isEmpty()
                || !(whole
                        instanceof
                        PermissionProfile.Managed(FileSystemPolicy.Restricted files, NetworkPolicy network))) {
            return whole;
        }
        List<Entry> entries = new ArrayList<>();
        entries.add(Entry.of(SpecialPath.WORKSPACE, Access.READ));
        if (reads.get().platformDefaults()) {
            entries.add(Entry.of(new SpecialPath.Minimal(), Access.READ));
        }
        reads.get().roots().forEach(root -> entries.add(Entry.of(root, Access.READ)));
        files.entries().stream()
                .filter(entry -> !entry.names(new SpecialPath.Root()))
                .forEach(entries::add);
        return new PermissionProfile.Managed(new FileSystemPolicy.Restricted(entries), network);
    }

    private boolean flag() {
        return network.map(value -> switch (value.toString()) {
                    case "true" -> true;
                    case "false" -> false;
                    default -> throw wrongNetwork(value, "a boolean");
                })
                .orElse(false);
    }

    private NetworkPolicy word() {
        return network.map(value -> switch (value.toString()) {
                    case "\"enabled\"" -> NetworkPolicy.ENABLED;
                    case "\"restricted\"" -> NetworkPolicy.RESTRICTED;
                    default -> throw wrongNetwork(value, "`restricted` or `enabled`");
                })
                .orElse(NetworkPolicy.RESTRICTED);
    }

    private static RpcException wrongNetwork(JsonSlice value, String expected) {
        String text = value.toString();
        return RpcException.invalidParams("invalid value for networkAccess: "
                + text.substring(0, Math.min(80, text.length())) + ", expected " + expected);
    }
}
