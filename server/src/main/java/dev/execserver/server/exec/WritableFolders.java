package dev.execserver.server.exec;

import dev.execserver.sandbox.linux.EntryCalls;
import dev.execserver.sandbox.linux.FileCalls;
import dev.execserver.sandbox.linux.LinuxException;
import dev.execserver.sandbox.paths.LinuxPath;
import dev.execserver.sandbox.resolve.ResolvedPolicy;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * Tells in which folders a command could put a file of its own under a name that a rule trusts. A folder counts as writable
 * when in doubt. Touches files; a platform thread uses it. Immutable.
 */
final class WritableFolders {
    /** A sandbox has its own files there. */
    private static final List<LinuxPath> OTHER_FILES =
            List.of(LinuxPath.of("/proc"), LinuxPath.of("/dev"), LinuxPath.of("/sys"));

    private final ResolvedPolicy policy;

    /** @param policy of the command's sandbox */
    WritableFolders(ResolvedPolicy policy) {
        this.policy = policy;
    }

    /** @param folder without links */
    boolean writable(LinuxPath folder) {
        return OTHER_FILES.stream().anyMatch(folder::startsWith)
                || (policy.access(folder).writable() && changeable(folder.bytes()));
    }

    /** An owner can give itself the right. */
    private static boolean changeable(byte[] folder) {
        return FileCalls.access(folder, FileCalls.W_OK) == 0 || FileCalls.ownedByUs(folder);
    }

    /**
     * Returns the path by which a program was called, its folder without links; empty if it does not lead to the program, or if
     * the command could have made the link itself.
     */
    Optional<LinuxPath> trustedLink(AskedProgram program) {
        byte[] typed = AskedProgram.absolute(program.typed(), program.cwd());
        int slash = typed.length - 1;
        while (slash > 0 && typed[slash] != '/') {
            slash--;
        }
        byte[] name = Arrays.copyOfRange(typed, slash + 1, typed.length);
        if (name.length == 0 || !program.onHost()) {
            return Optional.empty();
        }
        try {
            byte[] folder = slash == 0 ? new byte[] {'/'} : Arrays.copyOf(typed, slash);
            LinuxPath real = LinuxPath.of(EntryCalls.realPath(folder));
            LinuxPath link = real.child(name);
            boolean leads = Arrays.equals(EntryCalls.realPath(link.bytes()), program.path());
            return leads && !writable(real) ? Optional.of(link) : Optional.empty();
        } catch (LinuxException | IllegalArgumentException e) {
            return Optional.empty(); // the server has no such file: the name proves nothing
        }
    }
}
