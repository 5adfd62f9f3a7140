package dev.execserver.sandbox.bwrap;

import dev.execserver.sandbox.linux.DirectoryCalls;
import dev.execserver.sandbox.linux.Errno;
import dev.execserver.sandbox.linux.Fd;
import dev.execserver.sandbox.linux.FileCalls;
import dev.execserver.sandbox.linux.FileStatus;
import dev.execserver.sandbox.linux.LinuxException;
import dev.execserver.sandbox.resolve.CrossedLink;
import dev.execserver.sandbox.resolve.LinuxPath;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * Symbolic links at protected names. Linux mounts nothing over a link, so a command can replace one; what it pointed to stays
 * unwritable meanwhile. So they are compared when the command has ended and put right: another link is replaced, and a file
 * or directory is moved aside, for it may be all that somebody has of his work. Who changes such a link from outside while a
 * command runs has it changed back. Stateless; touches files.
 */
public final class LinkGuard {
    private static final System.Logger LOG = System.getLogger(LinkGuard.class.getName());

    /** Between the name and a random number: what was found at the name is called that. */
    static final String ASIDE = ".blocked-by-sandbox-";

    private static final SecureRandom RANDOM = new SecureRandom();

    private LinkGuard() {}

    /**
     * A link that was not as before.
     *
     * @param link where it is
     * @param found what was there, in words
     * @param movedTo where that lies now, unless it was a link
     * @param obstacle why it could not be put right
     */
    public record Violation(LinuxPath link, String found, Optional<LinuxPath> movedTo, Optional<String> obstacle) {}

    /** Compares the links and puts them right; every difference is logged. */
    public static List<Violation> restore(List<CrossedLink> links) {
        List<Violation> violations = new ArrayList<>();
        for (CrossedLink link : links) {
            restore(link.path(), link.target()).ifPresent(violations::add);
        }
        violations.forEach(LinkGuard::log);
        return violations;
    }

    static Optional<Violation> restore(LinuxPath link, byte[] target) {
        String found = "its directory could not be opened";
        Optional<LinuxPath> movedTo = Optional.empty();
        try (Fd directory = open(link.parent())) {
            Optional<FileStatus> now = status(directory, link.name());
            found = words(now, directory, link.name());
            if (now.filter(FileStatus::symbolicLink).isPresent()) {
                if (Arrays.equals(DirectoryCalls.readLink(directory, link.name()), target)) {
                    return Optional.empty();
                }
                DirectoryCalls.removeFile(directory, link.name());
            } else if (now.isPresent()) {
                byte[] aside = aside(link.name());
                DirectoryCalls.rename(directory, link.name(), directory, aside, DirectoryCalls.RENAME_NOREPLACE);
                movedTo = Optional.of(link.parent().child(aside));
            }
            DirectoryCalls.makeLink(target, directory, link.name());
            return Optional.of(new Violation(link, found, movedTo, Optional.empty()));
        } catch (LinuxException e) {
            return Optional.of(new Violation(link, found, movedTo, Optional.of(e.getMessage())));
        }
    }

    /** Without links on the way: a directory that was moved and replaced by a link must not lead us somewhere else. */
    private static Fd open(LinuxPath directory) {
        return FileCalls.openat2(
                FileCalls.AT_FDCWD,
                directory.bytes(),
                FileCalls.O_PATH | FileCalls.O_DIRECTORY,
                0,
                FileCalls.RESOLVE_NO_SYMLINKS | FileCalls.RESOLVE_NO_MAGICLINKS);
    }

    private static Optional<FileStatus> status(Fd directory, byte[] name) {
        try {
            return Optional.of(FileCalls.statusAt(directory, name, false));
        } catch (LinuxException e) {
            if (e.errno() == Errno.ENOENT) {
                return Optional.empty();
            }
            throw e;
        }
    }

    private static String words(Optional<FileStatus> status, Fd directory, byte[] name) {
        if (status.isEmpty()) {
            return "nothing";
        }
        if (status.get().symbolicLink()) {
            return "a link to " + new String(DirectoryCalls.readLink(directory, name), StandardCharsets.UTF_8);
        }
        return status.get().directory() ? "a directory" : "a file";
    }

    private static byte[] aside(byte[] name) {
        byte[] end = (ASIDE + Long.toHexString(RANDOM.nextLong())).getBytes(StandardCharsets.US_ASCII);
        byte[] aside = Arrays.copyOf(name, name.length + end.length);
        System.arraycopy(end, 0, aside, name.length, end.length);
        return aside;
    }

    private static void log(Violation violation) {
        LOG.log(
                System.Logger.Level.WARNING,
                "a sandboxed command has replaced the protected link {0} by {1}{2}; {3}",
                violation.link(),
                violation.found(),
                violation.movedTo().map(to -> ", which is now " + to).orElse(""),
                violation
                        .obstacle()
                        .map(why -> "it could not be put right: " + why)
                        .orElse("it was put right"));
    }
}
