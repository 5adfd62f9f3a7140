package dev.execserver.sandbox.bwrap;

import dev.execserver.sandbox.linux.Errno;
import dev.execserver.sandbox.linux.Fd;
import dev.execserver.sandbox.linux.FileCalls;
import dev.execserver.sandbox.linux.FileStatus;
import dev.execserver.sandbox.linux.LinuxException;
import dev.execserver.sandbox.linux.MemoryFile;
import dev.execserver.sandbox.linux.NamespaceCalls;
import dev.execserver.sandbox.linux.ProcessCalls;
import dev.execserver.sandbox.paths.CrossedLink;
import dev.execserver.sandbox.paths.FileId;
import dev.execserver.sandbox.paths.LinuxPath;
import dev.execserver.sandbox.seccomp.Machine;
import dev.execserver.sandbox.spawn.Child;
import dev.execserver.sandbox.spawn.ExitStatus;
import dev.execserver.sandbox.spawn.ProcessMark;
import dev.execserver.sandbox.spawn.SpawnRequest;
import dev.execserver.sandbox.spawn.Spawner;
import dev.execserver.sandbox.spawn.Stdio;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * Mounts protected symbolic links on themselves in a complete sandbox whose command does not run yet, see {@link LinkStage}.
 * No thread of the server enters the sandbox, and nothing with a capability stays in it. Any thread; the caller parks for
 * about a millisecond.
 */
public final class LinkMounts {
    /** Time limit of a program that makes a handful of calls. Only an overloaded machine needs longer. */
    private static final Duration LIMIT = Duration.ofSeconds(10);

    private static final String NAME = "links";
    private static final byte[] PROGRAM = ascii("/proc/self/fd/" + LinkStage.PROGRAM);

    private final Spawner spawner;

    public LinkMounts(Spawner spawner) {
        this.spawner = spawner;
    }

    /**
     * Mounts the links and checks them.
     *
     * @param pid a process in the sandbox, which this user has made
     * @return the obstacle; empty if each link is mounted and is the one that was found
     */
    Optional<String> lay(int pid, List<CrossedLink> links) {
        try {
            mount(pid, links.stream().map(CrossedLink::path).toList());
            return check(pid, links);
        } catch (LinuxException e) {
            return Optional.of("the protected links of the profile cannot be mounted over: " + e.getMessage());
        }
    }

    /**
     * Mounts the links on themselves, without a check of their targets.
     *
     * @throws LinuxException with the error of the kernel; some may be mounted then
     */
    public void mount(int pid, List<LinuxPath> links) {
        Machine machine = Machine.current().orElseThrow(() -> new LinuxException("setns", NAME, Errno.ENOSYS));
        try (Fd mounts = FileCalls.open(ascii("/proc/" + pid + "/ns/mnt"), FileCalls.O_RDONLY, 0);
                Fd user = NamespaceCalls.owner(mounts);
                Fd program = MemoryFile.program(NAME, LinkStage.assemble(machine, links))) {
            Child stage = spawner.spawn(new SpawnRequest(
                    PROGRAM,
                    List.of(NAME),
                    List.of(),
                    ascii("/"),
                    new Stdio.Channel(),
                    ProcessMark.NONE,
                    List.of(user, mounts, program)));
            try {
                awaitSuccess(stage);
            } finally {
                stage.closeStreams();
            }
        }
    }

    private static void awaitSuccess(Child stage) {
        Optional<ExitStatus> exit = Optional.empty();
        try {
            exit = stage.awaitExit(LIMIT);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        if (exit.isEmpty()) {
            stage.signal(ProcessCalls.SIGKILL);
        }
        int errno = exit.map(ExitStatus::code).orElse(Errno.ETIMEDOUT);
        if (errno != 0) {
            throw new LinuxException("move_mount", "a link inside the sandbox", errno);
        }
    }

    /** Checks the mounted links: another command may have replaced one since it was found. */
    private static Optional<String> check(int pid, List<CrossedLink> links) {
        try (Fd root = FileCalls.open(ascii("/proc/" + pid + "/root"), FileCalls.O_PATH | FileCalls.O_DIRECTORY, 0)) {
            return links.stream()
                    .filter(link -> !mounted(root, link))
                    .findFirst()
                    .map(link -> ViewCheck.changed(link.path()));
        }
    }

    private static boolean mounted(Fd root, CrossedLink link) {
        try (Fd fd = FileCalls.openat2(
                root.number(),
                link.path().relativeTo(LinuxPath.ROOT),
                FileCalls.O_PATH | FileCalls.O_NOFOLLOW,
                0,
                FileCalls.RESOLVE_BENEATH | FileCalls.RESOLVE_NO_SYMLINKS)) {
            FileStatus status = FileCalls.status(fd);
            return status.mountRoot() && new FileId(status.device(), status.inode()).equals(link.id());
        } catch (LinuxException e) {
            return false; // it is not there
        }
    }

    private static byte[] ascii(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }
}
