package dev.execserver.sandbox.intercept;

import dev.execserver.sandbox.intercept.ProgramFile.Kind;
import dev.execserver.sandbox.linux.ContentCalls;
import dev.execserver.sandbox.linux.Fd;
import dev.execserver.sandbox.linux.FileCalls;
import dev.execserver.sandbox.linux.LinuxException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Compares a process that stands before its first instruction with the decision. The kernel has told the new program the path
 * by which it was found (AT_EXECFN, see getauxval(3)) and its arguments; both are what the kernel has read, whatever the task
 * has written since. For a script the program is its interpreter, so the script is looked up again under that path.
 */
final class ExecExpectation {
    private static final int AT_EXECFN = 31;
    private static final int AUX_BYTES = 4096;

    private static final int ENTRY_BYTES = 16;

    private final byte[] name;
    /** The script, and its interpreters that are scripts themselves. */
    private final List<Involved> scripts;
    /** The program that the kernel loads in the end, with its arguments. */
    private final Involved loaded;

    private ExecExpectation(ExecRequest request, byte[] name) {
        this.name = name;
        this.scripts = new ArrayList<>();
        Involved last = new Involved(request.program(), name, request.argv(), true);
        for (Involved next : request.involved()) {
            if (next.interprets()) {
                scripts.add(last);
                last = next;
            }
        }
        this.loaded = last;
    }

    /**
     * Returns the expectation for a request.
     *
     * @param directory descriptor of execveat(2), or AT_FDCWD
     */
    static ExecExpectation of(ExecRequest request, int directory) {
        return new ExecExpectation(request, name(request.typed(), directory));
    }

    /** Returns the path by which the kernel calls a program, also to its interpreter. It makes one itself for execveat(2). */
    static byte[] name(byte[] typed, int directory) {
        if (directory == FileCalls.AT_FDCWD || (typed.length > 0 && typed[0] == '/')) {
            return typed;
        }
        String made = "/dev/fd/" + directory + (typed.length == 0 ? "" : "/");
        byte[] start = made.getBytes(StandardCharsets.US_ASCII);
        byte[] name = Arrays.copyOf(start, start.length + typed.length);
        System.arraycopy(typed, 0, name, start.length, typed.length);
        return name;
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
        boolean right = loaded.program().kind() instanceof Kind.Binary
                && FileCalls.status(executable, true).sameFile(loaded.program().status());
        if (!right || scripts.isEmpty()) {
            return right;
        }
        var finder = ProgramWalk.finder(pid, TaskStatus.of(pid));
        return scripts.stream()
                .allMatch(script -> finder.find(script.typed(), true)
                        .status()
                        .sameFile(script.program().status()));
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
        byte[] wanted = flat(loaded.argv());
        byte[] found = new byte[Math.min(TaskMemory.MAX_ARGUMENT_BYTES, wanted.length) + 1];
        int count;
        try (Fd file = FileCalls.open(
                ("/proc/" + pid + "/cmdline").getBytes(StandardCharsets.US_ASCII), FileCalls.O_RDONLY, 0)) {
            count = ContentCalls.read(file, found, 0, found.length, 0);
        }
        boolean emptied = wanted.length == 0 && count == 1; // Linux 5.18 gives a program without arguments an empty one
        return emptied || Arrays.equals(found, 0, count, wanted, 0, wanted.length);
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
