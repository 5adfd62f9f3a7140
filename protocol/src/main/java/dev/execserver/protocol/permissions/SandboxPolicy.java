package dev.execserver.protocol.permissions;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.execserver.protocol.paths.PathUri;
import dev.execserver.protocol.rpc.Dialect;
import dev.execserver.protocol.rpc.JsonSlice;
import dev.execserver.protocol.rpc.RpcException;
import java.io.IOException;
import java.util.List;

/** The policy of the first releases: four fixed forms. All of them may read everything. */
public sealed interface SandboxPolicy {

    /** No sandbox. */
    record DangerFullAccess() implements SandboxPolicy {}

    /** Nothing is writable. */
    record ReadOnly(boolean networkAccess) implements SandboxPolicy {}

    /**
     * The workspace is writable, and unless excluded the temporary directories.
     *
     * @param writableRoots further ones, absolute
     */
    record WorkspaceWrite(
            List<PathUri> writableRoots, boolean networkAccess, boolean excludeTmpdirEnvVar, boolean excludeSlashTmp)
            implements SandboxPolicy {
        public WorkspaceWrite {
            writableRoots = List.copyOf(writableRoots);
        }
    }

    /** Somebody else isolates the files. */
    record ExternalSandbox(NetworkPolicy networkAccess) implements SandboxPolicy {}

    /**
     * Reads kebab-case and camelCase spellings. The removed read access is taken when it is {@code fullAccess}, which says
     * nothing, and refused otherwise: dropping it would widen the policy.
     *
     * @throws RpcException invalid params; the text names the member and what was expected, {@code data.member} its place
     */
    static SandboxPolicy read(JsonSlice value, Dialect dialect) {
        try {
            return SandboxPolicyReader.read(value, dialect);
        } catch (RpcException e) {
            throw Member.located(e);
        }
    }

    default boolean fullDiskRead() {
        return true;
    }

    default boolean fullDiskWrite() {
        return switch (this) {
            case DangerFullAccess _, ExternalSandbox _ -> true;
            case ReadOnly _, WorkspaceWrite _ -> false;
        };
    }

    /** Of the network alone. */
    default NetworkPolicy networkPolicy() {
        return switch (this) {
            case DangerFullAccess() -> NetworkPolicy.ENABLED;
            case ReadOnly(boolean network) -> NetworkPolicy.of(network);
            case WorkspaceWrite policy -> NetworkPolicy.of(policy.networkAccess());
            case ExternalSandbox(NetworkPolicy network) -> network;
        };
    }

    /** Writes all members, defaults too. */
    default void write(JsonGenerator g, Spelling spelling) throws IOException {
        boolean camel = spelling == Spelling.APP;
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
