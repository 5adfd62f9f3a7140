package dev.execserver.sandbox.landlock;

import dev.execserver.sandbox.linux.Errno;
import dev.execserver.sandbox.linux.Fd;
import dev.execserver.sandbox.linux.FileCalls;
import dev.execserver.sandbox.linux.LinuxException;
import dev.execserver.sandbox.linux.RestrictionCalls;
import dev.execserver.sandbox.seccomp.FilterMode;
import dev.execserver.sandbox.seccomp.Machine;
import dev.execserver.sandbox.seccomp.SeccompFilter;
import dev.execserver.sandbox.spawn.Restriction;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;

/**
 * A prepared confinement by Landlock and a system call filter. Everything is prepared in advance, so the confined thread
 * itself makes only four system calls. A file worker makes it, the starting thread runs it once, then it is closed.
 */
public final class LandlockRestriction implements Restriction, AutoCloseable {
    /** Lowest version of Landlock, the first with TRUNCATE; before it, a command can empty files that it may only read. */
    public static final int LOWEST_ABI = 3;

    private static final List<String> DEVICES =
            List.of("/dev/null", "/dev/zero", "/dev/full", "/dev/random", "/dev/urandom", "/dev/tty");

    private final Fd ruleset;
    private final byte[] filter;

    /**
     * A place that may be written.
     *
     * @param directory true if everything below it may be written too
     */
    @SuppressWarnings("ArrayRecordComponent") // paths are bytes; places are never compared
    public record Place(byte[] path, boolean directory) {}

    /**
     * Prepares the confinement.
     *
     * @param abi version of Landlock, at least {@link #LOWEST_ABI}
     * @param terminal the slave that the command will open
     */
    public LandlockRestriction(
            int abi, List<Place> writable, FilterMode mode, Machine machine, Optional<String> terminal) {
        this.filter = SeccompFilter.assembleWithoutNamespaces(mode, machine);
        LandlockRights rights = new LandlockRights(abi);
        this.ruleset = RestrictionCalls.landlockRuleset(rights.all(), rights.scopes());
        try {
            allow(bytes("/"), LandlockRights.reading(), 0);
            for (String device : DEVICES) {
                allow(bytes(device), rights.allOfFile(), 0);
            }
            terminal.ifPresent(path -> allow(bytes(path), rights.allOfFile(), 0));
            for (Place place : writable) {
                // There was no link when the policy was resolved. A newer link must not be followed, as its target
                // may not be writable.
                allow(
                        place.path(),
                        place.directory() ? rights.all() : rights.allOfFile(),
                        FileCalls.RESOLVE_NO_SYMLINKS);
            }
        } catch (RuntimeException e) {
            ruleset.close();
            throw e;
        }
    }

    private static byte[] bytes(String path) {
        return path.getBytes(StandardCharsets.UTF_8);
    }

    private void allow(byte[] path, long access, long resolve) {
        try (Fd place = FileCalls.openat2(FileCalls.AT_FDCWD, path, FileCalls.O_PATH, 0, resolve)) {
            RestrictionCalls.landlockAllow(ruleset, place, access);
        } catch (LinuxException e) {
            if (e.errno() != Errno.ENOENT) {
                throw e;
            }
        }
    }

    @Override
    public void restrict() {
        RestrictionCalls.noNewPrivileges();
        RestrictionCalls.dropCapabilities();
        RestrictionCalls.landlockRestrict(ruleset);
        RestrictionCalls.installFilter(filter);
    }

    @Override
    public void close() {
        ruleset.close();
    }
}
