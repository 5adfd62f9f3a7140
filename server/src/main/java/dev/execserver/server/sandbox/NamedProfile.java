package dev.execserver.server.sandbox;

import dev.execserver.protocol.permissions.PermissionProfile;
import java.util.Optional;

/**
 * A permission profile with a name.
 *
 * @param id as clients name it; built-in ones begin with a colon
 */
public record NamedProfile(String id, Optional<String> description, PermissionProfile profile) {

    /** Makes a profile without a description. */
    public NamedProfile(String id, PermissionProfile profile) {
        this(id, Optional.empty(), profile);
    }
}
