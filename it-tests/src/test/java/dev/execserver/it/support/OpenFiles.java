package dev.execserver.it.support;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * The targets of the open file descriptors of a process, see proc_pid_fd(5).
 *
 * <p>Compare two of these by their targets, not by their numbers. A server that still closes descriptors of an earlier test
 * has a decreasing number, which would hide a leak or an opened file. Sockets and pipes have their inode number in the
 * target, so an old one is not taken for a new one.
 */
public final class OpenFiles {
    private final long pid;
    private final List<String> targets;

    private OpenFiles(long pid, List<String> targets) {
        this.pid = pid;
        this.targets = targets;
    }

    /** Returns the present descriptors of a process. */
    public static OpenFiles of(long pid) {
        List<String> targets = new ArrayList<>();
        try (Stream<Path> entries = Files.list(Path.of("/proc/" + pid + "/fd"))) {
            entries.forEach(entry -> ProcFs.link(entry).ifPresent(targets::add));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return new OpenFiles(pid, targets);
    }

    /** Returns the present targets of the same process that it did not have before, or not as often. */
    public List<String> openedSince() {
        List<String> opened = new ArrayList<>(of(pid).targets);
        targets.forEach(opened::remove);
        return opened;
    }

    public int count() {
        return targets.size();
    }
}
