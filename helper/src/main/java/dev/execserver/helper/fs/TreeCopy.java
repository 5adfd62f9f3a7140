package dev.execserver.helper.fs;

import dev.execserver.protocol.fs.CopyParams;
import dev.execserver.protocol.rpc.RpcException;
import dev.execserver.sandbox.linux.ContentCalls;
import dev.execserver.sandbox.linux.DirectoryCalls;
import dev.execserver.sandbox.linux.DirectoryCalls.Entry;
import dev.execserver.sandbox.linux.Errno;
import dev.execserver.sandbox.linux.Fd;
import dev.execserver.sandbox.linux.FileCalls;
import dev.execserver.sandbox.linux.FileStatus;
import dev.execserver.sandbox.linux.LinuxException;
import dev.execserver.sandbox.linux.LongWork;
import java.util.List;
import java.util.function.Supplier;

/**
 * One {@code fs/copy} of a file, a link or a tree. Within a tree every name is opened below the descriptor of its
 * directory, on both sides, and no link is followed. Paths serve only for errors, which name the entry that failed. One
 * thread.
 */
final class TreeCopy {

    /** Most levels of a tree. Each level needs two descriptors. */
    static final int MAX_DEPTH = 256;

    private static final int OPEN_DIRECTORY = FileCalls.O_RDONLY | FileCalls.O_DIRECTORY;
    private static final int OWNER_ALL = 0700;

    private final byte[] source;
    /** Identity of the new directory, which is never copied into itself, even if directories move meanwhile. */
    private final FileStatus destination;

    private TreeCopy(byte[] source, FileStatus destination) {
        this.source = source;
        this.destination = destination;
    }

    static void copy(CopyParams params) {
        byte[] from = Paths.of(params.sourcePath());
        byte[] to = Paths.of(params.destinationPath());
        try (Fd name = Opener.open(from, FileCalls.O_PATH | FileCalls.O_NOFOLLOW, 0, true)) {
            FileStatus status = FileCalls.status(name);
            if (status.symbolicLink()) {
                copyLink(name, to);
            } else if (status.directory()) {
                copyDirectory(params, from, name, status, to);
            } else if (status.regular()) {
                copyFile(from, to);
            } else {
                throw RpcException.invalidRequest("fs/copy only supports regular files, directories, and symlinks");
            }
        }
    }

    private static void copyLink(Fd link, byte[] to) {
        byte[] target = DirectoryCalls.readLink(link, new byte[0]);
        Paths.Place place = Paths.split(to);
        try (Fd parent = Opener.parent(place.parent(), true)) {
            ProtectedPlaces.checkPlace(parent, place.name());
            at(to, () -> DirectoryCalls.makeLink(target, parent, place.name()));
        }
    }

    /** Puts the full path into the error of a call that knows only a name below a directory. */
    private static <T> T at(byte[] path, Supplier<T> call) {
        try {
            return call.get();
        } catch (LinuxException e) {
            throw at(path, e);
        }
    }

    private static void at(byte[] path, Runnable call) {
        at(path, () -> {
            call.run();
            return true;
        });
    }

    private static LinuxException at(byte[] path, LinuxException e) {
        return new LinuxException(e.call(), Paths.display(path), e.errno());
    }

    private static void copyFile(byte[] from, byte[] to) {
        try (RegularFile source = Opener.forReading(from, true);
                RegularFile target = at(to, () -> Opener.forWriting(to, 0, OWNER_ALL & RegularFile.NEW_FILE, true))) {
            copyContent(source, target, from, to);
        }
    }

    /** Copies content and mode. Empties the target only after it is certain that it is another file than the source. */
    private static void copyContent(RegularFile source, RegularFile target, byte[] from, byte[] to) {
        if (source.status().sameFile(target.status())) {
            throw RpcException.invalidRequest("fs/copy cannot copy a file onto itself: `" + Paths.display(to)
                    + "` is the source, perhaps under another name");
        }
        target.emptyFor(source.status().permissions());
        try {
            ContentCopy.copy(source, target);
            changeMode(target.fd(), source.status(), target.status());
        } catch (LinuxException e) {
            throw at(e.object().equals(source.fd().toString()) ? from : to, e);
        }
    }

    /** Copies the mode. Drops the set-id bits if the owner differs, because they refer to the owner. */
    private static void changeMode(Fd target, FileStatus source, FileStatus status) {
        boolean sameOwner = source.user() == status.user() && source.group() == status.group();
        ContentCalls.changeMode(
                target, sameOwner ? source.permissions() : source.permissions() & ~RegularFile.SET_ID_BITS);
    }

    private static void copyDirectory(CopyParams params, byte[] from, Fd name, FileStatus status, byte[] to) {
        if (!params.recursive()) {
            throw RpcException.invalidRequest("fs/copy requires recursive: true when sourcePath is a directory");
        }
        refuseInside(status, to);
        boolean fresh = isMissing(to);
        try (Fd source = Opener.open(name.number(), Paths.HERE, OPEN_DIRECTORY, 0, 0)) {
            checkDepth(source, from, from, 0); // before anything is made
        }
        // Opens the source first, so that an unreadable source leaves no empty copy behind.
        try (Fd source = Opener.open(name.number(), Paths.HERE, OPEN_DIRECTORY, 0, 0);
                Fd directory = at(to, () -> DirectoryOperations.makeAll(to, true));
                Fd target = at(to, () -> Opener.open(directory.number(), Paths.HERE, OPEN_DIRECTORY, 0, 0))) {
            ProtectedPlaces.checkWay(target);
            FileStatus made = FileCalls.status(target);
            if (made.sameFile(status)) {
                throw inside();
            }
            new TreeCopy(from, made).copyEntries(source, from, target, to, 0);
            if (fresh) {
                at(to, () -> changeMode(target, status, made));
            }
        }
    }

    /** Checks the depth of directories. Skips those that cannot be read; the copy then reports the error. */
    private static void checkDepth(Fd directory, byte[] path, byte[] source, int depth) {
        LongWork.step();
        if (depth == MAX_DEPTH) {
            throw tooDeep(source);
        }
        List<Entry> entries;
        while (!(entries = at(path, () -> DirectoryCalls.entries(directory))).isEmpty()) {
            for (Entry entry : entries) {
                if (entry.directory()) {
                    try (Fd below = Opener.below(directory, entry.name(), OPEN_DIRECTORY, 0)) {
                        checkDepth(below, path, source, depth + 1);
                    } catch (LinuxException e) {
                        continue;
                    }
                }
            }
        }
    }

    private static RpcException tooDeep(byte[] source) {
        return RpcException.invalidRequest(
                "fs/copy copies trees of at most " + MAX_DEPTH + " levels; `" + Paths.display(source) + "` has more");
    }

    private static boolean isMissing(byte[] path) {
        try (Fd there = Opener.name(path, true)) {
            return false;
        } catch (LinuxException e) {
            return e.errno() == Errno.ENOENT;
        }
    }

    /** Refuses a destination inside the source: looks for the source among the directories above the destination. */
    private static void refuseInside(FileStatus source, byte[] to) {
        Fd directory = nearestDirectory(to);
        while (true) {
            try (Fd here = directory) {
                FileStatus status = FileCalls.status(here);
                if (status.sameFile(source)) {
                    throw inside();
                }
                directory = Opener.open(here.number(), Paths.UP, FileCalls.O_PATH | FileCalls.O_DIRECTORY, 0, 0);
                if (FileCalls.status(directory).sameFile(status)) {
                    directory.close();
                    return; // the root is its own parent
                }
            }
        }
    }

    private static Fd nearestDirectory(byte[] path) {
        byte[] at = path;
        while (true) {
            try {
                return Opener.parent(at, true);
            } catch (LinuxException e) {
                if (e.errno() != Errno.ENOENT && e.errno() != Errno.ENOTDIR) {
                    throw e;
                }
                at = Paths.split(at).parent();
            }
        }
    }

    private static RpcException inside() {
        return RpcException.invalidRequest("fs/copy cannot copy a directory to itself or one of its descendants");
    }

    private void copyEntries(Fd from, byte[] fromPath, Fd to, byte[] toPath, int depth) {
        if (depth == MAX_DEPTH) {
            throw tooDeep(source);
        }
        List<Entry> entries;
        while (!(entries = at(fromPath, () -> DirectoryCalls.entries(from))).isEmpty()) {
            for (Entry entry : entries) {
                byte[] name = entry.name();
                copyEntry(from, Paths.join(fromPath, name), to, Paths.join(toPath, name), name, depth);
            }
        }
    }

    /** Copies one entry. Devices, pipes and sockets inside a tree are skipped, as the reference server does. */
    private void copyEntry(Fd from, byte[] fromPath, Fd to, byte[] toPath, byte[] name, int depth) {
        LongWork.step();
        FileStatus status;
        try {
            status = FileCalls.statusAt(from, name, false);
        } catch (LinuxException e) {
            if (e.errno() == Errno.ENOENT) {
                return; // removed since it was listed
            }
            throw at(fromPath, e);
        }
        if (status.symbolicLink()) {
            ProtectedPlaces.check(to, name);
            byte[] target = at(fromPath, () -> DirectoryCalls.readLink(from, name));
            at(toPath, () -> DirectoryCalls.makeLink(target, to, name));
        } else if (status.regular()) {
            int mode = OWNER_ALL & RegularFile.NEW_FILE;
            try (RegularFile source = at(fromPath, () -> Opener.readingBelow(from, name, fromPath));
                    RegularFile target = at(toPath, () -> Opener.writingBelow(to, name, 0, mode, toPath))) {
                copyContent(source, target, fromPath, toPath);
            }
        } else if (status.directory() && !status.sameFile(destination)) {
            copyBranch(from, fromPath, to, toPath, name, depth);
        }
    }

    private void copyBranch(Fd from, byte[] fromPath, Fd to, byte[] toPath, byte[] name, int depth) {
        ProtectedPlaces.check(to, name);
        boolean fresh = at(toPath, () -> makeDirectory(to, name));
        try (Fd source = at(fromPath, () -> Opener.below(from, name, OPEN_DIRECTORY, 0));
                Fd target = at(toPath, () -> Opener.below(to, name, OPEN_DIRECTORY, 0))) {
            copyEntries(source, fromPath, target, toPath, depth + 1);
            if (fresh) {
                at(toPath, () -> changeMode(target, FileCalls.status(source), FileCalls.status(target)));
            }
        }
    }

    /** Makes a directory that only its owner can use until it is complete. Returns false if it exists already. */
    private static boolean makeDirectory(Fd parent, byte[] name) {
        try {
            DirectoryCalls.makeDirectory(parent, name, OWNER_ALL);
            return true;
        } catch (LinuxException e) {
            if (e.errno() != Errno.EEXIST) {
                throw e;
            }
            return false;
        }
    }
}
