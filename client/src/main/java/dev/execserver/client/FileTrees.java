package dev.execserver.client;

import dev.execserver.protocol.fs.DirectoryEntry;
import dev.execserver.protocol.fs.FsFeatures;
import dev.execserver.protocol.fs.FsMethodNames;
import dev.execserver.protocol.fs.MetadataParams;
import dev.execserver.protocol.paths.PathUri;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermission;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;

/**
 * Copies directories with everything in them between this machine and the server. Contents go in blocks, several of them
 * at once, so that memory stays constant. Permission bits are kept where both sides have them. Links and special files are
 * not copied but listed. One copy, one thread.
 *
 * <p>Nothing that a server sends leaves the target: a name with a slash, or one of the names for a directory itself, ends
 * the download, and a link at the place of a file is not followed.
 */
public final class FileTrees {

    /** Deepest directory that is copied. */
    static final int MAX_DEPTH = 128;

    private static final int PERMISSIONS = 0777;

    private final FileMethods files;
    private final Set<String> features;

    FileTrees(FileMethods files, Set<String> features) {
        this.files = files;
        this.features = features;
    }

    /**
     * Result of a copy.
     *
     * @param files number of files
     * @param directories number of directories, the topmost one included
     * @param bytes length of all files
     * @param skipped paths below the source that are neither files nor directories
     */
    public record Copied(int files, int directories, long bytes, List<String> skipped) {}

    /**
     * Copies a local directory to the server. The target is made if it is missing; files in it are replaced, others stay.
     *
     * @throws IOException when a local file cannot be read, or a remote one cannot be written
     */
    public Copied upload(Path from, PathUri to) throws IOException, InterruptedException {
        Tally tally = new Tally();
        upload(from, to, "", 0, tally);
        return tally.copied();
    }

    /**
     * Copies a directory of the server to this machine. The target is made if it is missing; files in it are replaced,
     * others stay.
     */
    public Copied download(PathUri from, Path to) throws IOException, InterruptedException {
        Tally tally = new Tally();
        download(from, to, "", 0, tally);
        return tally.copied();
    }

    private void upload(Path from, PathUri to, String name, int depth, Tally tally)
            throws IOException, InterruptedException {
        checkDepth(depth, name);
        files.createDirectory(to);
        tally.directories++;
        try (DirectoryStream<Path> entries = Files.newDirectoryStream(from)) {
            for (Path entry : entries) {
                String below = name + entry.getFileName();
                PathUri target = child(to, entry.getFileName().toString());
                if (Files.isDirectory(entry, LinkOption.NOFOLLOW_LINKS)) {
                    upload(entry, target, below + "/", depth + 1, tally);
                } else if (Files.isRegularFile(entry, LinkOption.NOFOLLOW_LINKS)) {
                    uploadFile(entry, target, tally);
                } else {
                    tally.skipped.add(below);
                }
            }
        }
    }

    private void uploadFile(Path from, PathUri to, Tally tally) throws IOException, InterruptedException {
        try (InputStream in = Files.newInputStream(from, LinkOption.NOFOLLOW_LINKS);
                OutputStream out = files.openWrite(to)) {
            tally.bytes += in.transferTo(out);
        }
        tally.files++;
        if (features.contains(FsMethodNames.SET_MODE)
                && Files.getFileStore(from).supportsFileAttributeView("posix")) {
            files.setMode(to, mode(Files.getPosixFilePermissions(from, LinkOption.NOFOLLOW_LINKS)));
        }
    }

    private void download(PathUri from, Path to, String name, int depth, Tally tally)
            throws IOException, InterruptedException {
        checkDepth(depth, name);
        if (!Files.isDirectory(to)) {
            Files.createDirectories(to);
        }
        tally.directories++;
        for (DirectoryEntry entry : files.list(from)) {
            String child = checked(entry.fileName());
            PathUri source = entry.path().orElseGet(() -> child(from, child));
            // The listing describes the target of a link, which may be anywhere, or a directory above.
            if ((entry.isDirectory() || entry.isFile())
                    && files.getMetadata(new MetadataParams(source, true, Optional.empty()))
                            .isSymlink()) {
                tally.skipped.add(name + child);
            } else if (entry.isDirectory()) {
                Path target = to.resolve(child);
                if (Files.isSymbolicLink(target)) {
                    throw new IOException(target + " is a link; nothing is downloaded through it");
                }
                download(source, target, name + child + "/", depth + 1, tally);
            } else if (entry.isFile()) {
                downloadFile(source, to.resolve(child), tally);
            } else {
                tally.skipped.add(name + child);
            }
        }
    }

    private void downloadFile(PathUri from, Path to, Tally tally) throws IOException, InterruptedException {
        try (InputStream in = files.openRead(from);
                OutputStream out = Files.newOutputStream(
                        to,
                        StandardOpenOption.CREATE,
                        StandardOpenOption.TRUNCATE_EXISTING,
                        StandardOpenOption.WRITE,
                        LinkOption.NOFOLLOW_LINKS)) {
            tally.bytes += in.transferTo(out);
        }
        tally.files++;
        OptionalInt mode = features.contains(FsFeatures.MODE)
                ? files.getMetadata(new MetadataParams(from, true, Optional.empty(), true))
                        .mode()
                : OptionalInt.empty();
        if (mode.isPresent() && Files.getFileStore(to).supportsFileAttributeView("posix")) {
            Files.setPosixFilePermissions(to, permissions(mode.getAsInt()));
        }
    }

    /** Returns a name from the server that is one name and nothing else. */
    static String checked(String name) throws IOException {
        if (name.isEmpty()
                || name.equals(".")
                || name.equals("..")
                || name.indexOf('/') >= 0
                || name.indexOf(File.separatorChar) >= 0
                || name.indexOf('\0') >= 0) {
            throw new IOException("the server names a file `" + name + "`, which is no name of a file");
        }
        return name;
    }

    private static void checkDepth(int depth, String name) throws IOException {
        if (depth > MAX_DEPTH) {
            throw new IOException(name + " is deeper than " + MAX_DEPTH + " directories");
        }
    }

    private static PathUri child(PathUri directory, String name) {
        return PathUri.ofNative(directory.display() + "/" + name);
    }

    private static int mode(Set<PosixFilePermission> permissions) {
        int mode = 0;
        for (PosixFilePermission permission : permissions) {
            mode |= bit(permission);
        }
        return mode;
    }

    private static Set<PosixFilePermission> permissions(int mode) {
        Set<PosixFilePermission> permissions = EnumSet.noneOf(PosixFilePermission.class);
        for (PosixFilePermission permission : PosixFilePermission.values()) {
            if ((mode & PERMISSIONS & bit(permission)) != 0) {
                permissions.add(permission);
            }
        }
        return permissions;
    }

    /** Returns the bit of chmod(2): the constants stand in the order of the bits, the highest first. */
    private static int bit(PosixFilePermission permission) {
        return 1 << (PosixFilePermission.values().length - 1 - permission.ordinal());
    }

    private static final class Tally {
        private int files;
        private int directories;
        private long bytes;
        private final List<String> skipped = new ArrayList<>();

        Copied copied() {
            return new Copied(files, directories, bytes, List.copyOf(skipped));
        }
    }
}
