package dev.execserver.sandbox.paths;

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
 * Recognizes files that the server must not show to a sandboxed request, whatever the request may read: secrets of the
 * server, and kernel files that tell more to the server than to the command. It checks the open file, because a path may lead
 * elsewhere by the time it is opened.
 *
 * <p>A secret is known by device and inode, so by all its hard links, and by its place at the start and its place now, with
 * everything below. It is held open from the start on. So its inode is not given to another file, and the kernel tells where
 * the file was moved. A later replacement is known by the place.
 *
 * <p>Any thread. The check of a file on a block device never blocks; for other files only platform threads may call.
 */
public final class ServerFiles implements AutoCloseable {
    /**
     * Magic numbers of file systems whose content depends on the reader: proc, sysfs, debugfs, tracefs, securityfs, configfs,
     * control groups (1 and 2), bpf, namespaces, pidfds, pstore and EFI variables. See statfs(2) and linux/magic.h.
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
     * @param path without links, as far as it existed at the start
     * @param open descriptor of the secret, opened with O_PATH; empty if the secret did not exist
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
     * Makes the check of one server.
     *
     * @param secrets files and directories; most of them exist
     */
    public ServerFiles(List<LinuxPath> secrets) {
        this(secrets, List::of);
    }

    /**
     * Makes the check of one server with further places that may change.
     *
     * @param more returns directories of other servers, known by their paths; called for each file
     */
    public ServerFiles(List<LinuxPath> secrets, Supplier<List<LinuxPath>> more) {
        this.own = secrets.stream().map(Own::of).toList();
        this.more = more;
    }

    /** Returns true if the open file may be shown to a request that may read everything. */
    public boolean mayShow(Fd opened) {
        FileStatus status = FileCalls.status(opened);
        FileId id = identity(status);
        if (own.stream().anyMatch(secret -> secret.id().filter(id::equals).isPresent())) {
            return false;
        }
        // File systems of the kernel have no block device.
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

    /** Returns the path of an open file; empty if it has none. */
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
