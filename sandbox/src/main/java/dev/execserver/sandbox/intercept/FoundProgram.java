package dev.execserver.sandbox.intercept;

import java.util.List;

/**
 * The own program of a command that does not run yet, found as the command would find it. It is to be executed by the path of its file.
 *
 * @param program its file
 * @param involved the interpreters of a script and the program of a dynamic loader
 */
public record FoundProgram(ProgramFile program, List<Involved> involved) {
    public FoundProgram {
        involved = List.copyOf(involved);
    }

    /**
     * Finds the program. Touches files.
     *
     * @param typed path, absolute or relative to the working directory
     * @param environment of the command, as {@code NAME=value}
     * @throws dev.execserver.sandbox.linux.LinuxException with the errno that execve(2) would give
     */
    public static FoundProgram find(byte[] typed, List<byte[]> argv, List<byte[]> environment, byte[] cwd) {
        InvolvedPrograms.Finder finder = ProgramWalk.finder(cwd);
        ProgramFile program = finder.find(typed, true);
        return new FoundProgram(program, InvolvedPrograms.of(program, program.path(), argv, () -> environment, finder));
    }
}
