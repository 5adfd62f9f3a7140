package dev.execserver.sandbox.intercept;

import java.util.List;
import java.util.function.Supplier;

/**
 * A program that a task is about to execute. All of it was read once; what the task writes later into its memory changes
 * nothing here.
 *
 * @param pid process of the task, as this server numbers it
 * @param parentPid its parent
 * @param program the file that would run; for a script, the script
 * @param involved the interpreters of a script and the program of a dynamic loader
 * @param typed the path as the task has given it
 * @param argv all arguments, the first is the name that the program sees
 * @param cwd working directory, as the mounts of the task show it
 * @param threads number of threads of the process
 * @param environment reads the environment of the program, as {@code NAME=value}; throws LinuxException if the task is gone
 */
@SuppressWarnings("ArrayRecordComponent") // paths are bytes; never compared
public record ExecRequest(
        int pid,
        int parentPid,
        ProgramFile program,
        List<Involved> involved,
        byte[] typed,
        List<byte[]> argv,
        byte[] cwd,
        int threads,
        Supplier<List<byte[]>> environment) {
    public ExecRequest {
        argv = List.copyOf(argv);
        involved = List.copyOf(involved);
    }
}
