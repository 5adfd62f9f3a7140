package dev.execserver.sandbox.paths;

import dev.execserver.sandbox.linux.ContentCalls;
import dev.execserver.sandbox.linux.DirectoryCalls;
import dev.execserver.sandbox.linux.Errno;
import dev.execserver.sandbox.linux.Fd;
import dev.execserver.sandbox.linux.FileCalls;
import dev.execserver.sandbox.linux.FileStatus;
import dev.execserver.sandbox.linux.LinuxException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/** The real file system. A network mount may block any call for as long as it likes, so only platform threads call it. */
public final class KernelFileView implements FileView {

    @Override
    public Optional<Status> status(LinuxPath path) throws NotAccessibleException {
        return unlessGone(() -> status(FileCalls.status(path.bytes(), false)));
    }

    @Override
    public byte[] readLink(LinuxPath link) throws NotAccessibleException {
        return unlessGone(() -> FileCalls.readLink(link.bytes()))
                .orElseThrow(() -> new NotAccessibleException("the link " + link + " has just gone", null));
    }

    @Override
    public List<Child> list(LinuxPath directory) throws NotAccessibleException {
        return unlessGone(() -> children(directory)).orElse(List.of());
    }

    private List<Child> children(LinuxPath directory) {
        List<Child> children = new ArrayList<>();
        int flags = FileCalls.O_RDONLY | FileCalls.O_DIRECTORY | FileCalls.O_NOFOLLOW;
        try (Fd fd = FileCalls.open(directory.bytes(), flags, 0)) {
            List<DirectoryCalls.Entry> entries;
            while (!(entries = DirectoryCalls.entries(fd)).isEmpty()) {
                entries.forEach(entry -> children.add(new Child(entry.name(), kind(directory, entry))));
            }
        }
        return children;
    }

    private static Kind kind(LinuxPath directory, DirectoryCalls.Entry entry) {
        if (entry.unknown()) {
            // Some file systems do not give the type of an entry, see readdir(3). Then stat(2) gives it.
            return status(FileCalls.status(directory.child(entry.name()).bytes(), false))
                    .kind();
        }
        if (entry.directory()) {
            return Kind.DIRECTORY;
        }
        if (entry.symbolicLink()) {
            return Kind.SYMLINK;
        }
        return entry.regular() ? Kind.REGULAR : Kind.OTHER;
    }

    @Override
    public Optional<byte[]> read(LinuxPath file, int maxBytes) throws NotAccessibleException {
        return unlessGone(() -> content(file, maxBytes));
    }

    @Override
    public Optional<String> version(LinuxPath file) throws NotAccessibleException {
        return unlessGone(() -> FileCalls.status(file.bytes(), false))
                .map(status -> status.device() + " " + status.inode() + " " + status.size() + " " + status.modifiedNs()
                        + " " + status.changedNs());
    }

    @Override
    public Optional<byte[]> readWhole(LinuxPath file, int maxBytes) throws NotAccessibleException {
        long size = status(file).map(Status::size).orElse(Long.MAX_VALUE);
        return size > maxBytes
                ? Optional.empty()
                : read(file, (int) size + 1).filter(content -> content.length <= size);
    }

    @Override
    public boolean creatable(LinuxPath directory) {
        int errno = FileCalls.access(directory.bytes(), FileCalls.W_OK | FileCalls.X_OK);
        return errno == 0 || errno != Errno.EROFS && FileCalls.ownedByUs(directory.bytes());
    }

    private static byte[] content(LinuxPath file, int maxBytes) {
        int flags = FileCalls.O_RDONLY | FileCalls.O_NONBLOCK | FileCalls.O_NOCTTY | FileCalls.O_NOFOLLOW;
        byte[] content = new byte[maxBytes];
        try (Fd fd = FileCalls.open(file.bytes(), flags, 0)) {
            return Arrays.copyOf(content, ContentCalls.read(fd, content, 0, maxBytes, 0));
        }
    }

    private static Status status(FileStatus status) {
        FileId id = new FileId(status.device(), status.inode());
        Kind kind;
        if (status.directory()) {
            kind = Kind.DIRECTORY;
        } else if (status.symbolicLink()) {
            kind = Kind.SYMLINK;
        } else {
            kind = status.regular() ? Kind.REGULAR : Kind.OTHER;
        }
        return new Status(kind, id, status.size());
    }

    private static <T> Optional<T> unlessGone(Supplier<T> call) throws NotAccessibleException {
        try {
            return Optional.of(call.get());
        } catch (LinuxException e) {
            // A name that is too long cannot exist, so it counts as missing.
            return switch (e.errno()) {
                case Errno.ENOENT, Errno.ENOTDIR, Errno.ENAMETOOLONG -> Optional.empty();
                default -> throw new NotAccessibleException(e.getMessage(), e);
            };
        }
    }
}
