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
 * The exit code of a command that was found, and could not be executed in its sandbox: as shells say it, 127 when something
 * that it needs is not there, 126 when that is there and cannot be executed. What a script needs is named in its first line,
 * see execve(2); what another program needs is its loader. Touches files; stateless.
 */
final class UnexecutedProgram {
    static final int NOT_FOUND = 127;
    static final int NOT_EXECUTABLE = 126;

    /** As much of the first line as the kernel reads (BINPRM_BUF_SIZE). */
    private static final int HEAD_BYTES = 256;

    private UnexecutedProgram() {}

    /** For the program of a command, when it is asked for. */
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
            return ""; // gone meanwhile, or a program that may be executed and not be read
        }
    }
}
