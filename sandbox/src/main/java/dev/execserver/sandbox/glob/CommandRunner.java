package dev.execserver.sandbox.glob;

import dev.execserver.sandbox.paths.LinuxPath;
import dev.execserver.sandbox.paths.PolicyRefusedException;
import java.util.List;

/** Runs a program of the server, outside of any sandbox, and waits for its end. */
public interface CommandRunner {

    /** The result of a run: exit code and output. */
    @SuppressWarnings("ArrayRecordComponent") // output is bytes; outputs are never compared
    record Output(int exitCode, byte[] stdout, String stderr) {}

    /**
     * Runs a program with an empty standard input.
     *
     * @param arguments arguments without the name of the program
     * @throws PolicyRefusedException if the program cannot be started, takes too long or writes too much
     */
    Output run(LinuxPath program, List<String> arguments, LinuxPath cwd);
}
