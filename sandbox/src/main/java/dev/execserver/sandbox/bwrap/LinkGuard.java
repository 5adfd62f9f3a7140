package dev.execserver.sandbox.bwrap;

import dev.execserver.sandbox.linux.DirectoryCalls;
import dev.execserver.sandbox.linux.Errno;
import dev.execserver.sandbox.linux.Fd;
import dev.execserver.sandbox.linux.FileCalls;
import dev.execserver.sandbox.linux.FileStatus;
import dev.execserver.sandbox.linux.LinuxException;
import dev.execserver.sandbox.outcome.LinkViolation;
import dev.execserver.sandbox.paths.CrossedLink;
import dev.execserver.sandbox.paths.LinuxPath;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * Restores symbolic links at protected names after a command. Linux mounts nothing over a link, so a command can replace one;
 * its target stays unwritable meanwhile. A different link is replaced by the old one. A file or directory is moved aside,
 * because it may be valuable work of the user. A change from outside during the command is undone too. Stateless; touches
 * files.
 */
public final class LinkGuard {
    private static final System.Logger LOG = System.getLogger(LinkGuard.class.getName());

    /** Infix of the new name of a moved file, between the old name and a random number. */
    static final String ASIDE = ".blocked-by-sandbox-";

    private static final SecureRandom RANDOM = new SecureRandom();

    private LinkGuard() {}

    /** Compares the links and restores them. Every difference is logged. */
    public static List<LinkViolation> restore(List<CrossedLink> links) {
        List<LinkViolation> violations = new ArrayList<>();
        for (CrossedLink link : links) {
            restore(link.path(), link.target()).ifPresent(violations::add);
        }
        violations.forEach(LinkGuard::log);
        return violations;
    }

    static Optional<LinkViolation> restore(LinuxPath link, byte[] target) {
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
            return Optional.of(new LinkViolation(link, found, movedTo, Optional.empty()));
        } catch (LinuxException e) {
            return Optional.of(new LinkViolation(link, found, movedTo, Optional.of(e.getMessage())));
        }
    }

    /** Opens a directory without following links: it may have been moved and replaced by a link. */
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

    private static void log(LinkViolation violation) {
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
