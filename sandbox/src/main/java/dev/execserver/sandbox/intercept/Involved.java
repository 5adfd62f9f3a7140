package dev.execserver.sandbox.intercept;

import java.util.List;

/**
 * A program that runs because another one is executed.
 *
 * @param program its file
 * @param typed path by which it is called
 * @param argv its arguments; the first is its name
 * @param interprets true for the interpreter of a script, which the kernel loads; false for a program that a dynamic loader is told to load
 */
@SuppressWarnings("ArrayRecordComponent") // paths are bytes; never compared
public record Involved(ProgramFile program, byte[] typed, List<byte[]> argv, boolean interprets) {
    public Involved {
        argv = List.copyOf(argv);
    }
}
