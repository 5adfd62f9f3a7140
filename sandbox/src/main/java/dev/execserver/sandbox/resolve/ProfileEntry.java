package dev.execserver.sandbox.resolve;

import dev.execserver.protocol.permissions.Access;
import dev.execserver.sandbox.paths.LinuxPath;

/**
 * An entry of the profile for one place of this machine.
 *
 * @param literal the path in the profile, links included
 * @param role name in error messages: path, workspace root, TMPDIR
 * @param optional true if an entry that cannot be granted is left out with a warning
 */
record ProfileEntry(LinuxPath literal, Access access, String role, boolean optional) {}
