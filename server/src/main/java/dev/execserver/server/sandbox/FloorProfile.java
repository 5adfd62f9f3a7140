package dev.execserver.server.sandbox;

import dev.execserver.protocol.permissions.SandboxContext;
import dev.execserver.sandbox.paths.LinuxPath;
import java.nio.file.Path;

/**
 * The operator's profile and its file.
 *
 * @param file absolute, as the operator has written it
 * @param context the profile, with the server's working directory as its workspace
 */
public record FloorProfile(Path file, SandboxContext context) {

    LinuxPath path() {
        return LinuxPath.of(file.toString());
    }
}
