package dev.execserver.server.sandbox;

import dev.execserver.protocol.net.NetworkProxySettings;
import dev.execserver.protocol.permissions.PermissionProfile;
import java.util.Optional;

/**
 * A permission profile with a name.
 *
 * @param id as clients name it; built-in ones begin with a colon
 * @param proxy rules of the proxy that each command with this profile gets
 */
public record NamedProfile(
        String id, Optional<String> description, PermissionProfile profile, Optional<NetworkProxySettings> proxy) {

    /** Makes a profile without a description and a proxy. */
    public NamedProfile(String id, PermissionProfile profile) {
        this(id, Optional.empty(), profile, Optional.empty());
    }

    public CommandProfile forCommands() {
        return new CommandProfile(profile, proxy);
    }
}
