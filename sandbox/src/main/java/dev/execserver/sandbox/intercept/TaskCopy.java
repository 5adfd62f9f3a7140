package dev.execserver.sandbox.intercept;

import dev.execserver.protocol.text.SurrogateEscapedText;
import dev.execserver.sandbox.linux.EntryCalls;
import dev.execserver.sandbox.linux.Errno;
import dev.execserver.sandbox.linux.Fd;
import dev.execserver.sandbox.linux.FileCalls;
import dev.execserver.sandbox.linux.FileStatus;
import dev.execserver.sandbox.linux.LimitCalls;
import dev.execserver.sandbox.linux.LinuxException;
import dev.execserver.sandbox.linux.MemoryFile;
import dev.execserver.sandbox.linux.ProcStatus;
import dev.execserver.sandbox.linux.ProcessCalls;
import dev.execserver.sandbox.seccomp.Machine;
import dev.execserver.sandbox.spawn.ProcessMark;
import dev.execserver.sandbox.spawn.SpawnRequest;
import dev.execserver.sandbox.spawn.Stdio;
import java.io.File;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Everything that an escalated program takes over from the task that asked: its inheritable descriptors under their numbers,
 * without network sockets,
 * working directory, limits, umask, nice value and signal settings. Closing it closes the copies, when the program has its
 * own. One worker.
 */
final class TaskCopy implements AutoCloseable {
    private static final long CLOSE_ON_EXEC = 02000000;
    private static final int RESOURCES = 16;
    private static final int SIGNALS = 64;
    /** SIGKILL and SIGSTOP, which cannot be ignored, and the two that glibc keeps for its threads. */
    private static final long NOT_IGNORABLE = 1L << 8 | 1L << 18 | 1L << 31 | 1L << 32;

    /** Highest number of a descriptor that can be handed on. */
    private static final int MAX_DESCRIPTOR = 4095;

    /** The first number behind the standard streams. */
    private static final int FIRST_FREE = 3;

    /** More than a sandbox has descriptors of its own for its set-up. */
    private static final int SANDBOX_DESCRIPTORS = 16;

    /** Signal that runtimes of languages ignore for themselves. */
    private static final int SIGPIPE = 13;

    private final SortedMap<Integer, Fd> descriptors = new TreeMap<>();
    private final int tid;
    private final long notTaken;
    private final TaskStatus task;
    private Optional<Fd> directory = Optional.empty();
    private Optional<Fd> stage = Optional.empty();

    TaskCopy(int tid) {
        this(tid, new TreeMap<>(), Set.of(), 0);
    }

    /**
     * Copies from a wrapper, which is a program itself.
     *
     * @param given descriptors that stand for those under the same numbers; the caller closes them
     * @param own sockets of the wrapper, by their inodes, which the program does not get
     */
    static TaskCopy ofWrapper(int tid, SortedMap<Integer, Fd> given, Set<Long> own) {
        return new TaskCopy(tid, given, own, 1L << (SIGPIPE - 1));
    }

    private TaskCopy(int tid, SortedMap<Integer, Fd> given, Set<Long> own, long notTaken) {
        this.tid = tid;
        this.notTaken = notTaken;
        this.task = TaskStatus.of(tid);
        try {
            collect(given, own);
            directory = Optional.of(workingDirectory());
        } catch (RuntimeException e) {
            close();
            throw e;
        }
    }

    private void collect(SortedMap<Integer, Fd> given, Set<Long> own) {
        try (TaskDescriptors theirs = new TaskDescriptors(tid, task.process())) {
            List<Integer> numbers = inheritable();
            // dup2 in the child must not overwrite the source of a later one
            int above = FIRST_FREE
                    + SANDBOX_DESCRIPTORS
                    + IntStream.concat(
                                    numbers.stream().mapToInt(Integer::intValue),
                                    given.keySet().stream().mapToInt(Integer::intValue))
                            .max()
                            .orElse(0);
            given.forEach((number, fd) -> descriptors.put(number, FileCalls.duplicate(fd.number(), above)));
            for (int number : numbers) {
                Optional<Fd> copy = given.containsKey(number) ? Optional.empty() : theirs.copy(number);
                if (copy.isPresent()) {
                    try (Fd low = copy.get()) {
                        FileStatus status = FileCalls.status(low);
                        if (!status.socket() || !own.contains(status.inode())) {
                            descriptors.put(number, FileCalls.duplicate(low.number(), above));
                        }
                    }
                }
            }
        }
    }

    private List<Integer> inheritable() {
        String[] names = new File("/proc/" + tid + "/fd").list();
        if (names == null) {
            throw new LinuxException("read", "descriptors of task " + tid, Errno.EACCES);
        }
        List<Integer> numbers = new ArrayList<>();
        for (String name : names) {
            String info = ProcStatus.whole("/proc/" + tid + "/fdinfo/" + name);
            int at = info.indexOf("flags:");
            if (at >= 0) {
                String flags = info.substring(at + 6, info.indexOf('\n', at)).strip();
                if ((Long.parseLong(flags, 8) & CLOSE_ON_EXEC) == 0) {
                    numbers.add(Integer.valueOf(name));
                }
            }
        }
        if (numbers.stream().anyMatch(number -> number > MAX_DESCRIPTOR)) {
            throw new LinuxException("escalate", "descriptor above " + MAX_DESCRIPTOR, Errno.EMFILE);
        }
        return numbers;
    }

    /** Opens the same directory as this server sees it: another mount namespace may show another one under the path. */
    private Fd workingDirectory() {
        byte[] link = ("/proc/" + tid + "/cwd").getBytes(StandardCharsets.US_ASCII);
        try (Fd theirs = FileCalls.open(link, FileCalls.O_PATH, 0);
                Fd ours = FileCalls.open(EntryCalls.nameOf(theirs), FileCalls.O_PATH | FileCalls.O_DIRECTORY, 0)) {
            if (!FileCalls.status(theirs).sameFile(FileCalls.status(ours))) {
                throw new LinuxException("escalate", "working directory", Errno.ENOENT);
            }
            return FileCalls.duplicate(ours.number(), above());
        }
    }

    /** Returns the working directory as this server sees it. */
    byte[] directory() {
        return EntryCalls.nameOf(directory.orElseThrow());
    }

    /** Returns true if the working directory is this one. */
    boolean in(Fd other) {
        return FileCalls.status(directory.orElseThrow()).sameFile(FileCalls.status(other));
    }

    /** Returns the start of the stage that becomes the program. It is valid until the close. */
    SpawnRequest request(Machine machine, byte[] program, List<byte[]> argv, List<byte[]> environment) {
        int number = next();
        try (Fd file = MemoryFile.program("escalated", stage(machine, number).assemble(program))) {
            stage = Optional.of(FileCalls.duplicate(file.number(), above()));
        }
        SortedMap<Integer, Fd> given = new TreeMap<>(descriptors);
        given.put(number, stage.orElseThrow());
        // Its own /proc is the only one that a process in a sandbox may look into.
        String path = "/proc/self/fd/" + number;
        String cwd = "/proc/self/fd/" + directory.orElseThrow().number();
        return new SpawnRequest(
                path,
                Stream.concat(Stream.of(path), argv.stream().map(SurrogateEscapedText::decode))
                        .toList(),
                environment.stream().map(SurrogateEscapedText::decode).toList(),
                cwd,
                new Stdio.Given(given),
                ProcessMark.NONE);
    }

    /** Returns the number of the stage in the program's list: the first above those of the task. */
    private int next() {
        return descriptors.isEmpty() ? FIRST_FREE : Math.max(FIRST_FREE, descriptors.lastKey() + 1);
    }

    /** Returns a number above all that the program, or a sandbox around it, gets. */
    private int above() {
        return next() + SANDBOX_DESCRIPTORS;
    }

    /** @param own number of the stage itself, which is closed with all above it */
    private EscalationStage stage(Machine machine, int own) {
        EscalationStage stage = new EscalationStage(machine);
        int next = 0;
        for (int number : descriptors.keySet()) {
            if (number > next) {
                stage.close(next, number - 1);
            }
            next = number + 1;
        }
        if (own > next) {
            stage.close(next, own - 1);
        }
        stage.close(own, Integer.MAX_VALUE);
        stage.umask(task.umask());
        stage.block(task.blocked());
        int nice = ProcessCalls.nice(tid);
        if (nice != ProcessCalls.ownNice()) {
            stage.nice(nice);
        }
        signals(task.ignored() & ~NOT_IGNORABLE & ~notTaken).forEach(stage::ignore);
        for (int resource = 0; resource < RESOURCES; resource++) {
            int number = resource;
            LimitCalls.of(task.process(), resource).ifPresent(limit -> stage.limit(number, limit));
        }
        return stage;
    }

    private static List<Integer> signals(long set) {
        return IntStream.rangeClosed(1, SIGNALS)
                .filter(signal -> (set & 1L << (signal - 1)) != 0)
                .boxed()
                .toList();
    }

    @Override
    public void close() {
        descriptors.values().forEach(Fd::close);
        directory.ifPresent(Fd::close);
        stage.ifPresent(Fd::close);
    }
}
