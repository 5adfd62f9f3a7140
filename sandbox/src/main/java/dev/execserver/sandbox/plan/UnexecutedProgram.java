package dev.execserver.sandbox.plan;

import dev.execserver.sandbox.linux.ContentCalls;
import dev.execserver.sandbox.linux.Errno;
import dev.execserver.sandbox.linux.Fd;
import dev.execserver.sandbox.linux.FileCalls;
import dev.execserver.sandbox.linux.LinuxException;
import dev.execserver.sandbox.resolve.ResolvedPolicy;
import dev.execserver.sandbox.spawn.ProgramLookup;
import dev.execserver.sandbox.spawn.SpawnRequest;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.IntSupplier;

/**
 * Computes the exit code of a command that was found but could not be executed in its sandbox. As in shells, it is 127 if a
 * file that the program needs is missing, and 126 if that file exists but cannot be executed. A script needs the interpreter
 * of its first line, see execve(2); other programs need their loader. Touches files; stateless.
 */
public final class UnexecutedProgram {
    static final int NOT_FOUND = 127;
    static final int NOT_EXECUTABLE = 126;

    /** Bytes of the first line that the kernel reads (BINPRM_BUF_SIZE). */
    private static final int HEAD_BYTES = 256;

    /** Scripts that the kernel follows, one the interpreter of the other (exec_binprm). */
    private static final int MAX_SCRIPTS = 5;

    private UnexecutedProgram() {}

    /** Returns a function that computes the exit code for the program of a command. */
    static IntSupplier of(SpawnRequest command, ResolvedPolicy policy) {
        return () -> exitCode(command.program(), command.cwd(), policy);
    }

    /**
     * Returns the error with which the kernel will refuse the interpreter of a script; empty if the program is no script, or its
     * interpreter can be executed in the sandbox.
     *
     * @param program absolute path
     */
    public static OptionalInt interpreterError(byte[] program, byte[] cwd, ResolvedPolicy policy) {
        byte[] next = program;
        for (int scripts = 0; scripts < MAX_SCRIPTS; scripts++) {
            String head = head(next);
            if (!head.startsWith("#!") || interpreter(head).isEmpty()) {
                return OptionalInt.empty();
            }
            String interpreter = interpreter(head);
            // The kernel searches no PATH.
            String path = interpreter.indexOf('/') < 0 ? "./" + interpreter : interpreter;
            switch (VisibleProgram.find(path, Optional.empty(), cwd, policy)) {
                case ProgramLookup.Result.Failed(int errno) -> {
                    return OptionalInt.of(errno);
                }
                case ProgramLookup.Result.Found found -> next = found.absolute();
            }
        }
        return OptionalInt.empty();
    }

    private static String interpreter(String head) {
        return head.substring(2).lines().findFirst().orElse("").strip().split("[ \\t]", 2)[0];
    }

    private static int exitCode(byte[] program, byte[] cwd, ResolvedPolicy policy) {
        String head = head(program);
        if (!head.startsWith("#!")) {
            return NOT_FOUND; // its loader
        }
        String interpreter = interpreter(head);
        ProgramLookup.Result found =
                VisibleProgram.find(interpreter.isEmpty() ? "/" : interpreter, Optional.empty(), cwd, policy);
        return found instanceof ProgramLookup.Result.Failed(int errno) && errno == Errno.ENOENT
                ? NOT_FOUND
                : NOT_EXECUTABLE;
    }

    private static String head(byte[] program) {
        byte[] bytes = new byte[HEAD_BYTES];
        try (Fd file = FileCalls.open(program, FileCalls.O_RDONLY | FileCalls.O_NONBLOCK, 0)) {
            int count = ContentCalls.read(file, bytes, 0, bytes.length, 0);
            return new String(bytes, 0, count, StandardCharsets.ISO_8859_1);
        } catch (LinuxException e) {
            return ""; // gone meanwhile, or executable but not readable
        }
    }
}
