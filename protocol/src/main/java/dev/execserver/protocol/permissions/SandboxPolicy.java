package dev.execserver.protocol.permissions;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.execserver.protocol.paths.PathUri;
import dev.execserver.protocol.rpc.Dialect;
import dev.execserver.protocol.rpc.JsonSlice;
import dev.execserver.protocol.rpc.RpcException;
import java.io.IOException;
import java.util.List;

/** Policy of the first releases, with four fixed forms. All of them may read everything. */
public sealed interface SandboxPolicy {

    /** No sandbox. */
    record DangerFullAccess() implements SandboxPolicy {}

    /** Nothing is writable. */
    record ReadOnly(boolean networkAccess) implements SandboxPolicy {}

    /**
     * The workspace is writable, and so are the temporary directories unless they are excluded.
     *
     * @param writableRoots further writable directories, absolute
     */
    record WorkspaceWrite(
            List<PathUri> writableRoots, boolean networkAccess, boolean excludeTmpdirEnvVar, boolean excludeSlashTmp)
            implements SandboxPolicy {
        public WorkspaceWrite {
            writableRoots = List.copyOf(writableRoots);
        }
    }

    /** Another party isolates the files. */
    record ExternalSandbox(NetworkPolicy networkAccess) implements SandboxPolicy {}

    /**
     * Reads kebab-case and camelCase spellings. The removed read access member is accepted only as {@code fullAccess},
     * which has no effect. Other values are refused: ignoring them would widen the policy.
     *
     * @throws RpcException invalid params; the text names the member and the expected value; {@code data.member} is
     *     the path of the member
     */
    static SandboxPolicy read(JsonSlice value, Dialect dialect) {
        try {
            return SandboxPolicyReader.read(value, dialect);
        } catch (RpcException e) {
            throw MemberPath.located(e);
        }
    }

    default boolean fullDiskRead() {
        return true;
    }

    default boolean fullDiskWrite() {
        return switch (this) {
            case DangerFullAccess unused -> true;
            case ExternalSandbox unused -> true;
            case ReadOnly unused -> false;
            case WorkspaceWrite unused -> false;
        };
    }

    /** Returns the network part of the policy. */
    default NetworkPolicy networkPolicy() {
        return switch (this) {
            case DangerFullAccess() -> NetworkPolicy.ENABLED;
            case ReadOnly(boolean network) -> NetworkPolicy.of(network);
            case WorkspaceWrite policy -> NetworkPolicy.of(policy.networkAccess());
            case ExternalSandbox(NetworkPolicy network) -> network;
        };
    }

    /** Writes all members, including defaults. */
    default void write(JsonGenerator g, ProfileFormat spelling) throws IOException {
        boolean camel = spelling == ProfileFormat.APP;
        String network = camel ? "networkAccess" : "network_access";
        g.writeStartObject();
        switch (this) {
            case DangerFullAccess() -> g.writeStringField("type", camel ? "dangerFullAccess" : "danger-full-access");
            case ReadOnly(boolean networkAccess) -> {
                g.writeStringField("type", camel ? "readOnly" : "read-only");
                g.writeBooleanField(network, networkAccess);
            }
            case WorkspaceWrite policy -> {
                g.writeStringField("type", camel ? "workspaceWrite" : "workspace-write");
                g.writeArrayFieldStart(camel ? "writableRoots" : "writable_roots");
                for (PathUri root : policy.writableRoots()) {
                    g.writeString(spelling.path(root));
                }
                g.writeEndArray();
                g.writeBooleanField(network, policy.networkAccess());
                g.writeBooleanField(
                        camel ? "excludeTmpdirEnvVar" : "exclude_tmpdir_env_var", policy.excludeTmpdirEnvVar());
                g.writeBooleanField(camel ? "excludeSlashTmp" : "exclude_slash_tmp", policy.excludeSlashTmp());
            }
            case ExternalSandbox(NetworkPolicy networkAccess) -> {
                g.writeStringField("type", camel ? "externalSandbox" : "external-sandbox");
                g.writeStringField(network, networkAccess.wire());
            }
        }
        g.writeEndObject();
    }
}
