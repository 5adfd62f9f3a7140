package dev.execserver.server.sandbox;

import dev.execserver.protocol.permissions.Access;
import dev.execserver.sandbox.linux.EntryCalls;
import dev.execserver.sandbox.resolve.LinuxPath;
import dev.execserver.sandbox.resolve.ResolvedPolicy;
import dev.execserver.server.config.ConfigException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/**
 * Checks at the start if commands could change the file of the operator's floor, which limits them. In a sandbox the
 * file is read-only under any profile, but a link on the way to it cannot be protected like that. Stateless.
 */
final class FloorFileCheck {
    private FloorFileCheck() {}

    /** @throws ConfigException if the path has a link that a command could replace */
    static Optional<String> warning(FloorProfile floor, ResolvedPolicy policy) {
        boolean confined = !policy.rules().isEmpty()
                && !(policy.fullWrite() && policy.network().enabled());
        if (!confined) {
            return Optional.of("commands under the floor (--sandbox-floor " + floor.file()
                    + ") run without a sandbox around files and can change that file, which the next start of the server reads;"
                    + " use a managed profile, or a file that the user of the server cannot write");
        }
        for (Path way = floor.file(); way.getParent() != null; way = way.getParent()) {
            if (Files.isSymbolicLink(way) && writable(way.getParent(), policy)) {
                throw ConfigException.failure("--sandbox-floor " + floor.file() + " leads through the link " + way
                        + ", which commands under the floor can replace; name the file itself");
            }
        }
        return writable(floor.file().getParent(), policy)
                ? Optional.of("the file of --sandbox-floor, " + floor.file()
                        + ", lies where commands under the floor can write; it is read-only for those in a sandbox,"
                        + " and better kept elsewhere")
                : Optional.empty();
    }

    private static boolean writable(Path directory, ResolvedPolicy policy) {
        byte[] path = LinuxPath.of(directory.toString()).bytes();
        return policy.access(LinuxPath.of(EntryCalls.realPath(path))) == Access.WRITE;
    }
}
