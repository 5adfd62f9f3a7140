package dev.execserver.server.sandbox.toml;

import dev.execserver.protocol.net.NetworkProxySettings;
import dev.execserver.protocol.permissions.PermissionProfile;
import java.util.Optional;

/**
 * A profile of a TOML file.
 *
 * @param proxy rules of the proxy that is the only network of a command
 */
public record TomlProfile(
        String id, Optional<String> description, PermissionProfile permissions, Optional<NetworkProxySettings> proxy) {}
