package dev.execserver.server.sandbox;

import dev.execserver.protocol.net.NetworkProxySettings;
import dev.execserver.protocol.permissions.PermissionProfile;
import java.util.Optional;

/**
 * Permissions of a command with its network.
 *
 * @param proxy rules of the proxy that is the command's only network, and only this command's; empty if the permissions alone decide
 */
public record CommandProfile(PermissionProfile permissions, Optional<NetworkProxySettings> proxy) {

    /** Makes a profile without a proxy. */
    public static CommandProfile of(PermissionProfile permissions) {
        return new CommandProfile(permissions, Optional.empty());
    }
}
