package dev.execserver.protocol.permissions;

import dev.execserver.protocol.paths.PathUri;
import dev.execserver.protocol.permissions.SandboxPolicy.DangerFullAccess;
import dev.execserver.protocol.permissions.SandboxPolicy.ExternalSandbox;
import dev.execserver.protocol.permissions.SandboxPolicy.ReadOnly;
import dev.execserver.protocol.permissions.SandboxPolicy.WorkspaceWrite;
import dev.execserver.protocol.rpc.Dialect;
import dev.execserver.protocol.rpc.JsonSlice;
import dev.execserver.protocol.rpc.ParamsReader;
import dev.execserver.protocol.rpc.RpcException;
import java.util.List;

/** Collects the members of a legacy policy. */
final class SandboxPolicyReader {
    private static final String VARIANTS =
            "one of `danger-full-access`, `read-only`, `workspace-write`, `external-sandbox`";

    private final Dialect dialect;
    private String type;
    private List<PathUri> writableRoots = List.of();
    private JsonSlice network = JsonSlice.NULL;
    private String networkName = "network_access";
    private boolean excludeTmpdir;
    private boolean excludeSlashTmp;

    private SandboxPolicyReader(Dialect dialect) {
        this.dialect = dialect;
    }

    static SandboxPolicy read(JsonSlice value, Dialect dialect) {
        ParamsReader in = ParamsReader.of(value, "SandboxPolicy");
        SandboxPolicyReader members = new SandboxPolicyReader(dialect);
        while (in.next()) {
            members.take(in);
        }
        return members.build(in);
    }

    private void take(ParamsReader in) {
        String name = in.name();
        switch (name) {
            case "type" -> type = MemberPath.in(name, in::string);
            case "writable_roots", "writableRoots" ->
                writableRoots = MemberPath.strings(
                        in, name, text -> PathUri.parse(text, dialect).requireLinux("path"));
            case "network_access", "networkAccess" -> {
                networkName = name;
                network = in.slice();
            }
            case "exclude_tmpdir_env_var", "excludeTmpdirEnvVar" -> excludeTmpdir = MemberPath.in(name, in::bool);
            case "exclude_slash_tmp", "excludeSlashTmp" -> excludeSlashTmp = MemberPath.in(name, in::bool);
            case "access", "read_only_access", "readOnlyAccess" ->
                MemberPath.in(name, () -> in.structOrNull("ReadOnlyAccess", SandboxPolicyReader::dropFullAccess));
            default -> {}
        }
    }

    private SandboxPolicy build(ParamsReader in) {
        String given = in.required("type", type);
        return switch (MemberPath.snake(given)) {
            case "danger_full_access" -> new DangerFullAccess();
            case "read_only" -> new ReadOnly(flag());
            case "workspace_write" -> new WorkspaceWrite(writableRoots, flag(), excludeTmpdir, excludeSlashTmp);
            case "external_sandbox" -> new ExternalSandbox(word());
            default -> throw MemberPath.at("type", ParamsReader.unknownVariant(given, VARIANTS));
        };
    }

    /** Reads the network member of the two forms in which it is a boolean. In the third form it is a word. */
    private boolean flag() {
        return switch (network.toString()) {
            case "true" -> true;
            case "false", "null" -> false;
            default -> throw wrongNetwork("a boolean");
        };
    }

    private NetworkPolicy word() {
        return switch (network.toString()) {
            case "\"enabled\"" -> NetworkPolicy.ENABLED;
            case "\"restricted\"", "null" -> NetworkPolicy.RESTRICTED;
            default -> throw wrongNetwork("`restricted` or `enabled`");
        };
    }

    private RpcException wrongNetwork(String expected) {
        return MemberPath.in(networkName, () -> {
            String value = network.toString();
            throw RpcException.invalidParams(
                    "invalid value: " + value.substring(0, Math.min(80, value.length())) + ", expected " + expected);
        });
    }

    private static boolean dropFullAccess(ParamsReader in) {
        String access = null;
        while (in.next()) {
            if (in.name().equals("type")) {
                access = in.string();
            }
        }
        String given = in.required("type", access);
        if (!MemberPath.snake(given).equals("full_access")) {
            throw RpcException.invalidParams(
                    "read access `" + given + "` is no longer supported, expected `fullAccess`;"
                            + " name the readable paths in a permission profile");
        }
        return true;
    }
}
