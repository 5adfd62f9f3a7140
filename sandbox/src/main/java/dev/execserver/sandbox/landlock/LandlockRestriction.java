package dev.execserver.sandbox.landlock;

import dev.execserver.sandbox.linux.Errno;
import dev.execserver.sandbox.linux.Fd;
import dev.execserver.sandbox.linux.FileCalls;
import dev.execserver.sandbox.linux.LinuxException;
import dev.execserver.sandbox.linux.RestrictionCalls;
import dev.execserver.sandbox.resolve.Found;
import dev.execserver.sandbox.resolve.LinuxPath;
import dev.execserver.sandbox.resolve.Rule;
import dev.execserver.sandbox.seccomp.Machine;
import dev.execserver.sandbox.seccomp.SeccompFilter;
import java.util.List;
import java.util.Optional;

/**
 * Everything that a thread needs to confine itself, prepared before: on the thread itself only four system calls happen.
 * Made by a file worker, run once by the starting thread, then closed.
 */
public final class LandlockRestriction implements Runnable, AutoCloseable {
    private static final List<LinuxPath> DEVICES = List.of(
            LinuxPath.of("/dev/null"),
            LinuxPath.of("/dev/zero"),
            LinuxPath.of("/dev/full"),
            LinuxPath.of("/dev/random"),
            LinuxPath.of("/dev/urandom"),
            LinuxPath.of("/dev/tty"));

    private final Fd ruleset;
    private final byte[] filter;

    /** @param terminal the slave that the command will open */
    public LandlockRestriction(LandlockPlan plan, Machine machine, Optional<LinuxPath> terminal) {
        this.filter = SeccompFilter.assembleWithoutMetadataChanges(plan.filter(), machine);
        LandlockRights rights = new LandlockRights(plan.abi());
        this.ruleset = RestrictionCalls.landlockRuleset(rights.all(), rights.scopes());
        try {
            allow(LinuxPath.ROOT, LandlockRights.reading());
            for (LinuxPath device : DEVICES) {
                allow(device, rights.allOfFile());
            }
            terminal.ifPresent(path -> allow(path, rights.allOfFile()));
            for (Rule rule : plan.writable()) {
                allow(rule.path(), rule.found() instanceof Found.Directory ? rights.all() : rights.allOfFile());
            }
        } catch (RuntimeException e) {
            ruleset.close();
            throw e;
        }
    }

    private void allow(LinuxPath path, long access) {
        try (Fd place = FileCalls.open(path.bytes(), FileCalls.O_PATH, 0)) {
            RestrictionCalls.landlockAllow(ruleset, place, access);
        } catch (LinuxException e) {
            if (e.errno() != Errno.ENOENT) {
                throw e;
            }
        }
    }

    @Override
    public void run() {
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
