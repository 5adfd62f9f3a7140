package dev.execserver.sandbox.intercept;

import dev.execserver.sandbox.linux.ContentCalls;
import dev.execserver.sandbox.linux.EntryCalls;
import dev.execserver.sandbox.linux.Errno;
import dev.execserver.sandbox.linux.Fd;
import dev.execserver.sandbox.linux.FileCalls;
import dev.execserver.sandbox.linux.FileStatus;
import dev.execserver.sandbox.linux.LinuxException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.OptionalInt;

/**
 * Finds the file behind a path as the kernel finds it for another task, see path_resolution(7): from the root and the working
 * directory of that task, through its links. No call of this process may resolve a link by itself, because {@code /proc/self}
 * and absolute links mean something else here. Touches files; one platform thread, once.
 */
final class ProgramWalk implements AutoCloseable {
    static final int MAX_PATH = 4095;
    private static final int MAX_LINKS = 40;
    private static final long PROC_SUPER_MAGIC = 0x9fa0;
    private static final long PROC_ROOT_INODE = 1;
    private static final int ANY_EXECUTE = 0111;
    private static final int SHARED_WRITE = 022;
    private static final int STICKY = 01000;
    private static final byte[] DELETED = " (deleted)".getBytes(StandardCharsets.US_ASCII);

    private final String proc;
    private final String cwd;
    private final int uid;
    private final OptionalInt innerPid;
    private final Fd root;
    private final FileStatus rootStatus;
    private final Deque<byte[]> left = new ArrayDeque<>();
    private Fd here;
    private final Trail.Recorder trail = new Trail.Recorder();
    private int links;
    private boolean stable = true;

    private ProgramWalk(String proc, String cwd, int uid, OptionalInt innerPid) {
        this.proc = proc;
        this.cwd = cwd;
        this.uid = uid;
        this.innerPid = innerPid;
        this.root = open(proc + "/root");
        this.here = root;
        this.rootStatus = FileCalls.status(root);
    }

    /**
     * Finds the program of an exec.
     *
     * @param directory descriptor of the task where a relative path starts, or AT_FDCWD
     * @param itself true if an empty path means the file of that descriptor (AT_EMPTY_PATH)
     * @param followLast false if the last part must not be a link (AT_SYMLINK_NOFOLLOW)
     * @throws LinuxException with the errno that execve(2) would give
     */
    static ProgramFile find(int tid, TaskStatus task, int directory, byte[] path, boolean itself, boolean followLast) {
        try (ProgramWalk walk = of(tid, task)) {
            walk.start(directory, path, itself);
            walk.go(followLast);
            return walk.result(true);
        }
    }

    /** Finds the programs that a task's exec brings with it. */
    static InvolvedPrograms.Finder finder(int tid, TaskStatus task) {
        return (path, executable) -> {
            try (ProgramWalk walk = of(tid, task)) {
                return walk.found(path, executable);
            }
        };
    }

    /**
     * Finds programs for a command that does not run yet.
     *
     * @param directory where relative paths start
     */
    static InvolvedPrograms.Finder finder(byte[] directory) {
        return (path, executable) -> {
            try (Fd start = FileCalls.open(directory, FileCalls.O_PATH | FileCalls.O_DIRECTORY, 0);
                    ProgramWalk walk = new ProgramWalk(
                            "/proc/self",
                            "/proc/self/fd/" + start.number(),
                            FileCalls.effectiveUser(),
                            OptionalInt.empty())) {
                return walk.found(path, executable);
            }
        };
    }

    private static ProgramWalk of(int tid, TaskStatus task) {
        String proc = "/proc/" + tid;
        return new ProgramWalk(proc, proc + "/cwd", task.uid(), OptionalInt.of(task.innerPid()));
    }

    private ProgramFile found(byte[] path, boolean executable) {
        start(FileCalls.AT_FDCWD, path, false);
        go(true);
        return result(executable);
    }

    private void start(int directory, byte[] path, boolean itself) {
        if (path.length == 0 && !itself) {
            throw failure(Errno.ENOENT);
        }
        if (path.length == 0 || path[0] != '/') {
            move(open(directory == FileCalls.AT_FDCWD ? cwd : proc + "/fd/" + directory));
        }
        push(path);
    }

    private void go(boolean followLast) {
        while (!left.isEmpty()) {
            byte[] name = left.pop();
            if (Arrays.equals(name, new byte[] {'.', '.'})) {
                up();
            } else {
                step(name, followLast || !left.isEmpty());
            }
        }
    }

    private void up() {
        FileStatus status = directory();
        if (status.sameFile(rootStatus)) {
            stable = false; // a second mount of the root looks the same and has a parent
        } else {
            trail.turn(here);
            move(FileCalls.openat2(here.number(), new byte[] {'.', '.'}, FileCalls.O_PATH, 0, 0));
        }
    }

    private void step(byte[] name, boolean follow) {
        FileStatus parent = directory();
        boolean fixed = fixed(parent);
        Fd next = FileCalls.openat2(here.number(), name, FileCalls.O_PATH | FileCalls.O_NOFOLLOW, 0, 0);
        stable &= fixed;
        if (!FileCalls.status(next).symbolicLink()) {
            move(next);
            return;
        }
        try (next) {
            if (!follow || ++links > MAX_LINKS) {
                throw failure(Errno.ELOOP);
            }
            trail.turn(here);
            if (left.isEmpty()) {
                trail.link(here, name);
            }
            if (FileCalls.fileSystemType(next) == PROC_SUPER_MAGIC) {
                ofProc(name, parent);
                return;
            }
            target(FileCalls.readLink(
                    ("/proc/self/fd/" + here.number() + "/" + text(name)).getBytes(StandardCharsets.ISO_8859_1)));
        }
    }

    /** Follows a link of proc(5). Its self is the task, and links to open files and programs have no path to go along. */
    private void ofProc(byte[] name, FileStatus parent) {
        stable = false;
        if (parent.inode() != PROC_ROOT_INODE) {
            move(FileCalls.openat2(here.number(), name, FileCalls.O_PATH, 0, 0));
        } else if (text(name).equals("self") || text(name).equals("thread-self")) {
            ofSelf();
        } else {
            target(FileCalls.readLink(("/proc/" + text(name)).getBytes(StandardCharsets.ISO_8859_1)));
        }
    }

    /** Goes on in the folder of the task. A command that does not run yet has none, but a working directory and a root. */
    private void ofSelf() {
        if (innerPid.isPresent()) {
            push(Integer.toString(innerPid.getAsInt()).getBytes(StandardCharsets.US_ASCII));
            return;
        }
        String name = left.isEmpty() ? "" : text(left.pop());
        switch (name) {
            case "cwd" -> move(open(cwd));
            case "root" -> move(root);
            default -> throw failure(Errno.ENOENT);
        }
    }

    private void target(byte[] path) {
        if (path.length > 0 && path[0] == '/') {
            move(root);
        }
        push(path);
    }

    /** Returns true if the task cannot change what the names in this directory mean. */
    private boolean fixed(FileStatus directory) {
        boolean others = directory.user() != uid
                && uid != 0
                && ((directory.mode() & SHARED_WRITE) == 0 || (directory.mode() & STICKY) != 0);
        return others || FileCalls.onReadOnlyMount(here);
    }

    private FileStatus directory() {
        FileStatus status = FileCalls.status(here);
        if (!status.directory()) {
            throw failure(Errno.ENOTDIR);
        }
        return status;
    }

    private ProgramFile result(boolean executable) {
        FileStatus status = FileCalls.status(here);
        if (!status.regular() || (executable && (status.permissions() & ANY_EXECUTE) == 0)) {
            throw failure(Errno.EACCES);
        }
        byte[] path = EntryCalls.nameOf(here);
        boolean named = path.length > 0 && path[0] == '/' && !endsWith(path, DELETED);
        return new ProgramFile(path, status, named, named && sameOnHost(path, status), kind(), stable, trail.made());
    }

    private ProgramFile.Kind kind() {
        byte[] head = new byte[ShebangLine.HEAD_BYTES];
        int count;
        try (Fd file = open("/proc/self/fd/" + here.number(), FileCalls.O_RDONLY)) {
            count = ContentCalls.read(file, head, 0, head.length, 0);
        } catch (LinuxException e) {
            return new ProgramFile.Kind.Binary(); // executable but not readable: the kernel reads no script either
        }
        String text = new String(head, 0, count, StandardCharsets.ISO_8859_1);
        if (text.startsWith("\u007fELF")) {
            return new ProgramFile.Kind.Binary();
        }
        if (!text.startsWith("#!")) {
            return new ProgramFile.Kind.Unknown();
        }
        return ShebangLine.read(text)
                .<ProgramFile.Kind>map(line -> new ProgramFile.Kind.Script(line.interpreter(), line.argument()))
                .orElseGet(ProgramFile.Kind.Unknown::new);
    }

    private static boolean sameOnHost(byte[] path, FileStatus status) {
        try {
            return FileCalls.status(path, true).sameFile(status);
        } catch (LinuxException e) {
            return false; // not there, or not reachable for this server
        }
    }

    private static boolean endsWith(byte[] path, byte[] end) {
        int from = path.length - end.length;
        return from >= 0 && Arrays.equals(path, from, path.length, end, 0, end.length);
    }

    /** Adds the parts of a path before those that are left. A slash at the end asks for a directory, which is no program. */
    private void push(byte[] path) {
        int end = path.length;
        if (end > 0 && path[end - 1] == '/') {
            left.push(new byte[] {'.'});
        }
        while (end > 0) {
            int from = end;
            while (from > 0 && path[from - 1] != '/') {
                from--;
            }
            if (from < end && !(end - from == 1 && path[from] == '.')) {
                left.push(Arrays.copyOfRange(path, from, end));
            }
            end = from - 1;
        }
    }

    private void move(Fd to) {
        if (here != root) {
            here.close();
        }
        here = to;
    }

    private static Fd open(String path) {
        return open(path, FileCalls.O_PATH);
    }

    private static Fd open(String path, int flags) {
        return FileCalls.open(path.getBytes(StandardCharsets.US_ASCII), flags, 0);
    }

    private static String text(byte[] name) {
        return new String(name, StandardCharsets.ISO_8859_1);
    }

    private static LinuxException failure(int errno) {
        return new LinuxException("execve", "program of a task", errno);
    }

    @Override
    public void close() {
        move(root);
        root.close();
    }
}
