package dev.execserver.server.exec;

import java.nio.file.Path;
import java.util.Optional;

/**
 * Wishes of the server's own code that starts a command about the interception of its programs, beyond the rules.
 *
 * @param wrapper program that the command's shell runs in the place of each other one, and that asks about it
 * @param wholePaths true to find the client's rules by whole paths alone
 * @param denials form of refusals
 */
public record ExecStyle(Optional<Path> wrapper, boolean wholePaths, DenialForm denials) {
    public static final ExecStyle STANDARD = new ExecStyle(Optional.empty(), false, DenialForm.FULL);
}
