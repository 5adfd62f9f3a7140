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
import java.util.function.IntSupplier;

/**
 * Computes the exit code of a command that was found but could not be executed in its sandbox. As in shells, it is 127 if a
 * file that the program needs is missing, and 126 if that file exists but cannot be executed. A script needs the interpreter
 * of its first line, see execve(2); other programs need their loader. Touches files; stateless.
 */
final class UnexecutedProgram {
    static final int NOT_FOUND = 127;
    static final int NOT_EXECUTABLE = 126;

    /** Bytes of the first line that the kernel reads (BINPRM_BUF_SIZE). */
    private static final int HEAD_BYTES = 256;

    private UnexecutedProgram() {}

    /** Returns a function that computes the exit code for the program of a command. */
    static IntSupplier of(SpawnRequest command, ResolvedPolicy policy) {
        return () -> exitCode(command.program(), command.cwd(), policy);
    }

    private static int exitCode(byte[] program, byte[] cwd, ResolvedPolicy policy) {
        String head = head(program);
        if (!head.startsWith("#!")) {
            return NOT_FOUND; // its loader
        }
        String interpreter =
                head.substring(2).lines().findFirst().orElse("").strip().split("[ \\t]", 2)[0];
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
