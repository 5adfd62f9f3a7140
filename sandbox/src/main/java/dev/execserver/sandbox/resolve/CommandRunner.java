package dev.execserver.sandbox.resolve;

import java.util.List;

/** Runs a program of the server, outside of any sandbox, and waits for its end. */
public interface CommandRunner {

    /** How it ended and what it said. */
    @SuppressWarnings("ArrayRecordComponent") // output is bytes; outputs are never compared
    record Output(int exitCode, byte[] stdout, String stderr) {}

    /**
     * Runs it with nothing on standard input.
     *
     * @param arguments without the name of the program
     * @throws PolicyRefusedException when it cannot be started, takes too long or says too much
     */
    Output run(LinuxPath program, List<String> arguments, LinuxPath cwd);
}
