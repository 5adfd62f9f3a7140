package dev.execserver.it.support;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * What the file descriptors of a process refer to, see proc_pid_fd(5).
 *
 * <p>Two of these are compared by what they hold, not by how many: a server that still closes what an earlier test
 * left has a number that sinks by itself, which would hide a leak or deny that anything was opened. Sockets and pipes
 * carry the number of their inode, so an old one is not taken for a new one.
 */
public final class OpenFiles {
    private final long pid;
    private final List<String> targets;

    private OpenFiles(long pid, List<String> targets) {
        this.pid = pid;
        this.targets = targets;
    }

    /** What the process has open now. */
    public static OpenFiles of(long pid) {
        List<String> targets = new ArrayList<>();
        try (Stream<Path> entries = Files.list(Path.of("/proc/" + pid + "/fd"))) {
            entries.forEach(entry -> ProcFs.link(entry).ifPresent(targets::add));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return new OpenFiles(pid, targets);
    }

    /** What the same process has open now and had not then, or not as often. */
    public List<String> openedSince() {
        List<String> opened = new ArrayList<>(of(pid).targets);
        targets.forEach(opened::remove);
        return opened;
    }

    public int count() {
        return targets.size();
    }
}
