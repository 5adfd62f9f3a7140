package dev.execserver.sandbox.intercept;

import dev.execserver.sandbox.intercept.ProgramFile.Kind;
import dev.execserver.sandbox.linux.ContentCalls;
import dev.execserver.sandbox.linux.Fd;
import dev.execserver.sandbox.linux.FileCalls;
import dev.execserver.sandbox.linux.FileStatus;
import dev.execserver.sandbox.linux.LinuxException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * Compares a process that stands before its first instruction with the decision. The kernel has told the new program the path
 * by which it was found (AT_EXECFN, see getauxval(3)) and its arguments; both are what the kernel has read, whatever the task
 * has written since. For a script the program is its interpreter, so the script is looked up again under that path.
 */
final class ExecExpectation {
    private static final int AT_EXECFN = 31;
    private static final int AUX_BYTES = 4096;
    private static final int HEAD_BYTES = 256;
    /** The kernel follows no more of them (bprm->interp_flags, exec_binprm). */
    private static final int MAX_INTERPRETERS = 5;

    private static final int ENTRY_BYTES = 16;
    private static final int MAX_FLAT = TaskMemory.MAX_ARGUMENT_BYTES;

    private final ExecRequest request;
    private final byte[] name;
    private final boolean binary;
    private final Optional<FileStatus> loaded;

    private ExecExpectation(ExecRequest request, byte[] name, Optional<FileStatus> loaded) {
        this.request = request;
        this.name = name;
        this.binary = request.program().kind() instanceof Kind.Binary;
        this.loaded = loaded;
    }

    /**
     * Returns the expectation for a request. Touches files.
     *
     * @param directory descriptor of execveat(2), or AT_FDCWD
     */
    static ExecExpectation of(ExecRequest request, int tid, int directory) {
        byte[] name = request.typed();
        if (directory != FileCalls.AT_FDCWD && (name.length == 0 || name[0] != '/')) {
            // The kernel makes this name itsbinary, see execveat(2).
            String made = "/dev/fd/" + directory + (name.length == 0 ? "" : "/");
            byte[] start = made.getBytes(StandardCharsets.US_ASCII);
            name = Arrays.copyOf(start, start.length + request.typed().length);
            System.arraycopy(request.typed(), 0, name, start.length, request.typed().length);
        }
        return new ExecExpectation(request, name, loaded(request.program(), tid));
    }

    /** Returns the file that the kernel loads; empty if it cannot be told in advance. */
    private static Optional<FileStatus> loaded(ProgramFile program, int tid) {
        ProgramFile file = program;
        for (int depth = 0; depth <= MAX_INTERPRETERS; depth++) {
            switch (file.kind()) {
                case Kind.Binary() -> {
                    return Optional.of(file.status());
                }
                case Kind.Unknown() -> {
                    return Optional.empty();
                }
                case Kind.Script(byte[] interpreter) -> {
                    try {
                        TaskStatus task = TaskStatus.of(tid);
                        file = ProgramWalk.find(tid, task, FileCalls.AT_FDCWD, interpreter, false, true);
                    } catch (LinuxException e) {
                        return Optional.empty(); // the exec will fail
                    }
                }
            }
        }
        return Optional.empty();
    }

    /** Returns true if the process is about to run what was decided. */
    boolean met(int pid) {
        try {
            return programIsRight(pid) && nameIsRight(pid) && argumentsAreRight(pid);
        } catch (LinuxException e) {
            return false;
        }
    }

    private boolean programIsRight(int pid) {
        byte[] executable = ("/proc/" + pid + "/exe").getBytes(StandardCharsets.US_ASCII);
        if (loaded.filter(FileCalls.status(executable, true)::sameFile).isEmpty()) {
            return false;
        }
        return binary
                || ProgramWalk.find(pid, TaskStatus.of(pid), FileCalls.AT_FDCWD, name, false, true)
                        .status()
                        .sameFile(request.program().status());
    }

    private boolean nameIsRight(int pid) {
        byte[] auxiliary = new byte[AUX_BYTES];
        int count;
        try (Fd file =
                FileCalls.open(("/proc/" + pid + "/auxv").getBytes(StandardCharsets.US_ASCII), FileCalls.O_RDONLY, 0)) {
            count = ContentCalls.read(file, auxiliary, 0, AUX_BYTES, 0);
        }
        ByteBuffer entries = ByteBuffer.wrap(auxiliary).order(ByteOrder.LITTLE_ENDIAN);
        for (int at = 0; at + ENTRY_BYTES <= count; at += ENTRY_BYTES) {
            if (entries.getLong(at) == AT_EXECFN) {
                try (TaskMemory memory = new TaskMemory(pid)) {
                    return Arrays.equals(memory.string(entries.getLong(at + 8), ProgramWalk.MAX_PATH, 0), name);
                }
            }
        }
        return false;
    }

    private boolean argumentsAreRight(int pid) {
        List<byte[]> argv = request.argv();
        byte[] wanted = flat(binary || argv.isEmpty() ? argv : argv.subList(1, argv.size()));
        byte[] found = new byte[Math.min(MAX_FLAT, wanted.length + ProgramWalk.MAX_PATH + HEAD_BYTES)];
        int count;
        try (Fd file = FileCalls.open(
                ("/proc/" + pid + "/cmdline").getBytes(StandardCharsets.US_ASCII), FileCalls.O_RDONLY, 0)) {
            count = ContentCalls.read(file, found, 0, found.length, 0);
        }
        int from = binary ? 0 : count - wanted.length;
        boolean emptied = argv.isEmpty() && count == 1; // Linux 5.18 gives a program without arguments an empty one
        return emptied || (from >= 0 && Arrays.equals(found, from, count, wanted, 0, wanted.length));
    }

    private static byte[] flat(List<byte[]> argv) {
        byte[] all =
                new byte[argv.stream().mapToInt(argument -> argument.length + 1).sum()];
        int at = 0;
        for (byte[] argument : argv) {
            System.arraycopy(argument, 0, all, at, argument.length);
            at += argument.length + 1;
        }
        return all;
    }
}
