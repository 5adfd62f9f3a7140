package dev.execserver.protocol.app;

import dev.execserver.protocol.permissions.PermissionProfile;

/** The {@code permissionProfile} of a command: the id of a configured profile, or the profile itself. */
public sealed interface ProfileChoice {

    /** The id of a profile that is built in or configured. */
    record Named(String id) implements ProfileChoice {}

    /** The profile itself, as clients sent it until April 2026. */
    record Given(PermissionProfile profile) implements ProfileChoice {}
}
