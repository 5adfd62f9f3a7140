package dev.execserver.server.profiles;

import dev.execserver.protocol.permissions.PermissionProfile;
import dev.execserver.protocol.permissions.PolicyConversion;
import dev.execserver.protocol.permissions.SandboxPolicy;
import dev.execserver.protocol.rpc.RpcException;
import java.util.List;
import java.util.Optional;

/** The profiles that clients can name. Immutable; any thread. */
public final class NamedProfiles {

    public static final String READ_ONLY = ":read-only";
    public static final String WORKSPACE = ":workspace";
    public static final String FULL_ACCESS = ":danger-full-access";

    private static final List<NamedProfile> BUILT_IN = List.of(
            new NamedProfile(READ_ONLY, PolicyConversion.toProfile(new SandboxPolicy.ReadOnly(false))),
            new NamedProfile(
                    WORKSPACE,
                    PolicyConversion.toProfile(new SandboxPolicy.WorkspaceWrite(List.of(), false, false, false))),
            new NamedProfile(FULL_ACCESS, PermissionProfile.DISABLED));

    private final String defaultId;

    /** @param defaultId profile of commands that name none */
    public NamedProfiles(String defaultId) {
        this.defaultId = defaultId;
    }

    /** Returns all profiles: those built in first. May read a file. */
    public List<NamedProfile> all() {
        return BUILT_IN;
    }

    /** Returns the profile of commands that name none. May read a file. */
    public NamedProfile standard() {
        return find(defaultId);
    }

    /**
     * Returns the profile with this id. May read a file.
     *
     * @throws RpcException -32602 if there is none, in the words of the reference server
     */
    public NamedProfile find(String id) {
        return builtIn(id).orElseThrow(() -> unknown(id));
    }

    private static Optional<NamedProfile> builtIn(String id) {
        return BUILT_IN.stream().filter(profile -> profile.id().equals(id)).findFirst();
    }

    private static RpcException unknown(String id) {
        String why = id.startsWith(":")
                ? "default_permissions refers to unknown built-in profile `" + id + "`"
                : "default_permissions requires a `[permissions]` table";
        return RpcException.invalidParams("invalid permission profile: " + why).withData("reason", "profile");
    }
}
