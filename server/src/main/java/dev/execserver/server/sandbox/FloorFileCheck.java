package dev.execserver.server.sandbox;

import dev.execserver.cli.local.ConfigException;
import dev.execserver.protocol.permissions.Access;
import dev.execserver.sandbox.linux.EntryCalls;
import dev.execserver.sandbox.linux.LinuxException;
import dev.execserver.sandbox.paths.LinuxPath;
import dev.execserver.sandbox.resolve.ResolvedPolicy;
import dev.execserver.sandbox.trust.OwnershipWalk;
import dev.execserver.sandbox.trust.Step;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * Checks at the start if other users or commands could change a file by which the operator bounds all clients: that of the floor,
 * or of rules for programs. In a sandbox the file is read-only under any profile, but a link on the way to it cannot be
 * protected like that. Stateless.
 */
public final class FloorFileCheck {
    /** Write bits of the group and of all others. */
    private static final int OTHERS_WRITE = 0022;

    private FloorFileCheck() {}

    /**
     * Checks before the file is read that no other user can write it or put another one in its place. Everybody may read
     * it.
     *
     * @param option that names the file
     * @throws ConfigException if another user can; the message names the place and the remedy
     */
    public static void requireUnchangeable(String option, Path file) {
        try (OwnershipWalk walk = OwnershipWalk.along(file)) {
            if (!walk.missing().isEmpty()) {
                return; // the reader reports a missing file
            }
            List<Step> steps = walk.steps();
            Step last = steps.getLast();
            if (!last.foreign() && !last.status().directory() && (last.mode() & OTHERS_WRITE) != 0) {
                throw refusal(
                        option,
                        file,
                        "%s has mode %04o; chmod go-w makes that right".formatted(last.place(), last.mode()));
            }
            for (Step step : steps) {
                step.fault(OTHERS_WRITE).ifPresent(fault -> {
                    throw refusal(
                            option, file, fault + "; keep it where only root and the user of this server can write");
                });
            }
        } catch (LinuxException e) {
            throw ConfigException.failure(option + " " + file + " cannot be looked at: " + e.getMessage());
        }
    }

    private static ConfigException refusal(String option, Path file, String why) {
        return ConfigException.failure(
                option + " " + file + " bounds what clients may do, and other users could change it: " + why);
    }

    /** @throws ConfigException if the path has a link that a command could replace */
    static Optional<String> warning(FloorProfile floor, ResolvedPolicy policy) {
        boolean confined = !policy.rules().isEmpty()
                && !(policy.fullWrite() && policy.network().enabled());
        if (floor.source().isEmpty()) {
            return confined
                    ? Optional.empty()
                    : Optional.of("commands under the floor (--sandbox-floor) run without a sandbox around files;"
                            + " use a managed profile");
        }
        String option = floor.source().get().option();
        Path file = floor.source().get().file();
        if (!confined) {
            return Optional.of("commands under the floor (" + option + " " + file
                    + ") run without a sandbox around files and can change that file, which the next start of the server reads;"
                    + " use a managed profile, or a file that the user of the server cannot write");
        }
        for (Path way = file; way.getParent() != null; way = way.getParent()) {
            if (Files.isSymbolicLink(way) && writable(way.getParent(), policy)) {
                throw ConfigException.failure(option + " " + file + " leads through the link " + way
                        + ", which commands under the floor can replace; name the file itself");
            }
        }
        return writable(file.getParent(), policy)
                ? Optional.of("the file of " + option + ", " + file
                        + ", lies where commands under the floor can write; it is read-only for those in a sandbox,"
                        + " and better kept elsewhere")
                : Optional.empty();
    }

    private static boolean writable(Path directory, ResolvedPolicy policy) {
        byte[] path = LinuxPath.of(directory.toString()).bytes();
        return policy.access(LinuxPath.of(EntryCalls.realPath(path))) == Access.WRITE;
    }
}
