package dev.execserver.sandbox.pin;

import dev.execserver.sandbox.linux.FileCalls;
import dev.execserver.sandbox.linux.FileStatus;
import dev.execserver.sandbox.linux.LinuxException;
import dev.execserver.sandbox.paths.LinuxPath;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * Trusts files that only root can have put there: each directory and link on the way belongs to root, and no other user may
 * write it. A server that runs as root trusts only the system's directories, because its earlier commands ran as root too.
 * Touches files; stateless.
 */
public final class SystemPlaces implements TrustedPlaces {
    private static final List<LinuxPath> OF_THE_SYSTEM = Stream.of(
                    "/usr",
                    "/bin",
                    "/sbin",
                    "/lib",
                    "/lib32",
                    "/lib64",
                    "/libx32",
                    "/opt",
                    "/nix/store",
                    "/gnu/store",
                    "/run/current-system",
                    "/snap")
            .map(LinuxPath::of)
            .toList();

    private static final int WRITABLE_BY_OTHERS = 0022;
    private static final int STICKY = 01000;
    private static final int MAX_LINKS = 40;

    private final boolean root;
    private final Predicate<LinuxPath> writable;

    /** Makes the check for the user of this process. */
    public SystemPlaces() {
        this(FileCalls.effectiveUser() == 0, path -> FileCalls.access(path.bytes(), FileCalls.W_OK) == 0);
    }

    /**
     * Makes the check for another user.
     *
     * @param root true if the server runs as root
     * @param writable returns true if the server can write the path, by any right
     */
    SystemPlaces(boolean root, Predicate<LinuxPath> writable) {
        this.root = root;
        this.writable = writable;
    }

    @Override
    public boolean replaceable() {
        return root;
    }

    @Override
    public Optional<String> fault(LinuxPath path) {
        try {
            return walk(path, MAX_LINKS);
        } catch (LinuxException e) {
            return Optional.of(e.getMessage());
        }
    }

    private Optional<String> walk(LinuxPath path, int linksLeft) {
        if (root && OF_THE_SYSTEM.stream().noneMatch(path::startsWith)) {
            return Optional.of(
                    path + " lies outside of the folders of the system, where commands of earlier servers may"
                            + " have put it");
        }
        for (LinuxPath step : path.lineage()) {
            FileStatus status = FileCalls.status(step.bytes(), false);
            Optional<String> fault = fault(step, status);
            if (fault.isPresent()) {
                return fault;
            }
            if (status.symbolicLink()) {
                return linksLeft == 0
                        ? Optional.of(path + " leads through too many links")
                        : walk(
                                step.parent()
                                        .resolve(FileCalls.readLink(step.bytes()))
                                        .resolve(path.relativeTo(step)),
                                linksLeft - 1);
            }
        }
        return Optional.empty();
    }

    private Optional<String> fault(LinuxPath step, FileStatus status) {
        if (status.user() != 0) {
            return Optional.of(step + " belongs to user " + Integer.toUnsignedString(status.user()) + ", not to root");
        }
        if (status.symbolicLink()) {
            return Optional.empty();
        }
        // In a directory with the sticky bit, only root can replace a file that belongs to root.
        boolean sticky = status.directory() && (status.permissions() & STICKY) != 0;
        if (!sticky && (status.permissions() & WRITABLE_BY_OTHERS) != 0) {
            return Optional.of(step + " can be written by others than root");
        }
        // An access control list can give more rights than the mode.
        return !root && !sticky && writable.test(step)
                ? Optional.of(step + " can be written by the user of this server")
                : Optional.empty();
    }
}
