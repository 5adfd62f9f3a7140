package dev.execserver.sandbox.resolve;

import dev.execserver.protocol.permissions.Access;

/**
 * An entry of the profile for one place of this machine.
 *
 * @param literal as the profile names it, links included
 * @param role how an error calls it: path, workspace root, TMPDIR
 * @param optional whether it is left out, with a warning, when it may not be granted
 */
record Wanted(LinuxPath literal, Access access, String role, boolean optional) {}
