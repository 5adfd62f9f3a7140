package dev.execserver.sandbox.resolve;

import dev.execserver.sandbox.linux.EntryCalls;
import dev.execserver.sandbox.linux.Fd;
import dev.execserver.sandbox.linux.FileCalls;
import dev.execserver.sandbox.linux.FileStatus;
import dev.execserver.sandbox.linux.LinuxException;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;

/**
 * Recognises files that the server must not show for a sandboxed request, however much that may read: its secrets, and what
 * the kernel tells to the server and would not tell to the command. Decided by the open file and not by its path, which may
 * lead elsewhere by the time it is opened.
 *
 * <p>A secret is known by device and inode, so by every name that it has (hard links), and by the place at which it was found
 * at the start or lies now, with all that is below. It is held open from the start on: its inode is not given to another
 * file, and the kernel says where it was moved. What replaces it later is known by the place.
 *
 * <p>Any thread. Looking at a file on a block device never waits; others may have to be asked for by platform threads only.
 */
public final class ServerFiles implements AutoCloseable {
    /**
     * File systems in which the kernel answers, each time, whoever asks: proc, sysfs, debugfs, tracefs, securityfs, configfs,
     * control groups (1 and 2), bpf, namespaces, pidfds, persistent storage of crashes and EFI variables. See statfs(2) and linux/magic.h.
     */
    private static final Set<Long> KERNEL_ANSWERS = Set.of(
            0x9fa0L,
            0x62656572L,
            0x64626720L,
            0x74726163L,
            0x73636673L,
            0x62656570L,
            0x27e0ebL,
            0x63677270L,
            0xcafe4a11L,
            0x6e736673L,
            0x50494446L,
            0x6165676cL,
            0xde5e81e4L);

    private final List<Own> own;
    private final Supplier<List<LinuxPath>> more;

    /**
     * One secret.
     *
     * @param path without links as far as it existed at the start
     * @param open itself, by name; empty when there was none
     */
    private record Own(LinuxPath path, Optional<Fd> open, Optional<FileId> id) {
        static Own of(LinuxPath path) {
            try {
                Fd fd = FileCalls.open(path.bytes(), FileCalls.O_PATH, 0);
                LinuxPath name = nameOf(fd).orElse(path);
                return new Own(name, Optional.of(fd), Optional.of(identity(FileCalls.status(fd))));
            } catch (LinuxException e) {
                return new Own(path, Optional.empty(), Optional.empty());
            }
        }

        boolean holds(LinuxPath name) {
            return name.startsWith(path)
                    || open.flatMap(ServerFiles::nameOf)
                            .filter(name::startsWith)
                            .isPresent();
        }
    }

    /**
     * For one server.
     *
     * @param secrets files and directories, which exist as a rule
     */
    public ServerFiles(List<LinuxPath> secrets) {
        this(secrets, List::of);
    }

    /**
     * As before, with places that may change.
     *
     * @param more directories of other servers, known by where they are; asked for each file
     */
    public ServerFiles(List<LinuxPath> secrets, Supplier<List<LinuxPath>> more) {
        this.own = secrets.stream().map(Own::of).toList();
        this.more = more;
    }

    /** Whether what is open there may be shown for a request that may read everything. */
    public boolean mayShow(Fd opened) {
        FileStatus status = FileCalls.status(opened);
        FileId id = identity(status);
        if (own.stream().anyMatch(secret -> secret.id().filter(id::equals).isPresent())) {
            return false;
        }
        // None of those has a device.
        if (!status.onBlockDevice() && KERNEL_ANSWERS.contains(FileCalls.fileSystemType(opened))) {
            return false;
        }
        return nameOf(opened)
                .filter(name -> own.stream().noneMatch(secret -> secret.holds(name))
                        && more.get().stream().noneMatch(name::startsWith))
                .isPresent();
    }

    private static FileId identity(FileStatus status) {
        return new FileId(status.device(), status.inode());
    }

    /** Empty for what has no place among the files. */
    private static Optional<LinuxPath> nameOf(Fd fd) {
        try {
            byte[] name = EntryCalls.nameOf(fd);
            return name.length > 0 && name[0] == '/' ? Optional.of(LinuxPath.of(name)) : Optional.empty();
        } catch (LinuxException e) {
            return Optional.empty(); // closed, because the server ends
        }
    }

    @Override
    public void close() {
        own.forEach(secret -> secret.open().ifPresent(Fd::close));
    }
}
