package dev.execserver.cli.client.copy;

import dev.execserver.protocol.paths.PathUri;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFileAttributes;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;

/** Side of the copy on this machine. */
public final class LocalSide implements Side {

    private static final int BUFFER_BYTES = 256 * 1024;
    private static final FileAttribute<Set<PosixFilePermission>> PRIVATE =
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"));

    private final IncompleteFiles leftovers;

    public LocalSide(IncompleteFiles leftovers) {
        this.leftovers = leftovers;
    }

    /** Returns the path in bytes of the kernel; relative paths begin in the current directory. */
    public static PathUri path(Path path) {
        return LocalPaths.uri(path);
    }

    @Override
    public String name(PathUri path) {
        return path.display();
    }

    @Override
    public Optional<FileInfo> look(PathUri path) throws IOException {
        try {
            Path local = LocalPaths.path(path);
            PosixFileAttributes found = Files.readAttributes(local, PosixFileAttributes.class);
            return Optional.of(new FileInfo(
                    FileInfo.kind(found.isRegularFile(), found.isDirectory()),
                    Files.isSymbolicLink(local),
                    found.size(),
                    found.lastModifiedTime().toMillis(),
                    OptionalInt.of(bits(found.permissions()))));
        } catch (NoSuchFileException e) {
            return Optional.empty();
        }
    }

    @Override
    public boolean dangling(PathUri path) {
        Path local = LocalPaths.path(path);
        return Files.isSymbolicLink(local) && !Files.exists(local);
    }

    @Override
    public boolean openFile(PathUri path) throws IOException {
        return OpenFiles.reachedBy(LocalPaths.path(path));
    }

    @Override
    public PathUri canonical(PathUri path) throws IOException {
        return LocalPaths.uri(LocalPaths.path(path).toRealPath());
    }

    @Override
    public List<PathUri> list(PathUri directory) throws IOException {
        List<PathUri> entries = new ArrayList<>();
        try (DirectoryStream<Path> stream = Files.newDirectoryStream(LocalPaths.path(directory))) {
            stream.forEach(entry -> entries.add(BytePaths.child(directory, BytePaths.last(LocalPaths.uri(entry)))));
        } catch (DirectoryIteratorException e) {
            throw e.getCause();
        }
        entries.sort(Comparator.comparing(PathUri::toUri));
        return entries;
    }

    @Override
    public DirectoryMark mark(PathUri directory) throws IOException {
        PathUri file = BytePaths.hidden(directory);
        Path local = Files.createFile(LocalPaths.path(file));
        return new DirectoryMark(file, leftovers.add(local.toString(), () -> Files.deleteIfExists(local)));
    }

    @Override
    public void makeDirectory(PathUri path) throws IOException {
        Path unused = Files.createDirectory(LocalPaths.path(path));
    }

    @Override
    public void setMode(PathUri path, int mode) throws IOException {
        Path unused = Files.setPosixFilePermissions(LocalPaths.path(path), permissions(mode));
    }

    @Override
    public Content read(PathUri path, FileInfo info) {
        return new Content() {
            @Override
            public OptionalLong size() {
                return OptionalLong.of(info.size());
            }

            @Override
            public InputStream open() throws IOException {
                return Files.newInputStream(LocalPaths.path(path));
            }
        };
    }

    @Override
    public void write(PathUri path, OptionalInt mode, Content content) throws IOException, InterruptedException {
        Path part = LocalPaths.path(BytePaths.part(path));
        try (IncompleteFiles.Removal removal = leftovers.add(part.toString(), () -> Files.deleteIfExists(part))) {
            Path unused = mode.isPresent() ? Files.createFile(part, PRIVATE) : Files.createFile(part);
            try (InputStream in = content.open();
                    OutputStream out = Files.newOutputStream(part, StandardOpenOption.WRITE)) {
                copy(in, out);
            }
            if (mode.isPresent()) {
                unused = Files.setPosixFilePermissions(part, permissions(mode.getAsInt()));
            }
            // Without the option, the JDK would remove an empty directory at the target.
            unused = Files.move(part, LocalPaths.path(path), StandardCopyOption.ATOMIC_MOVE);
            removal.complete();
        }
    }

    static void copy(InputStream in, OutputStream out) throws IOException {
        byte[] buffer = new byte[BUFFER_BYTES];
        for (int count = in.read(buffer); count >= 0; count = in.read(buffer)) {
            out.write(buffer, 0, count);
        }
    }

    /**
     * Returns the permissions. Set-id and sticky bits are not copied, because they concern the users of one machine
     * only.
     */
    private static Set<PosixFilePermission> permissions(int mode) {
        Set<PosixFilePermission> permissions = EnumSet.noneOf(PosixFilePermission.class);
        for (PosixFilePermission permission : PosixFilePermission.values()) {
            if ((mode & bit(permission)) != 0) {
                permissions.add(permission);
            }
        }
        return permissions;
    }

    private static int bits(Set<PosixFilePermission> permissions) {
        return permissions.stream().mapToInt(LocalSide::bit).sum();
    }

    private static int bit(PosixFilePermission permission) {
        return switch (permission) {
            case OWNER_READ -> 0400;
            case OWNER_WRITE -> 0200;
            case OWNER_EXECUTE -> 0100;
            case GROUP_READ -> 0040;
            case GROUP_WRITE -> 0020;
            case GROUP_EXECUTE -> 0010;
            case OTHERS_READ -> 0004;
            case OTHERS_WRITE -> 0002;
            case OTHERS_EXECUTE -> 0001;
        };
    }
}
