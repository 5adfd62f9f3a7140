package dev.execserver.sandbox.spawn;

import java.util.ArrayList;
import java.util.List;

/**
 * The way to start a program that the server needs: the file for execve(2) and the arguments before those of the caller. A
 * pinned program is a sealed copy in memory, which its pinned loader runs; see {@code ProgramPins}.
 *
 * @param program path for execve(2), absolute
 * @param before arguments that come first
 * @param pinned true if no later change of a file can change the program that runs
 */
@SuppressWarnings("ArrayRecordComponent") // paths are bytes; launches are never compared
public record Launch(byte[] program, List<String> before, boolean pinned) {
    public Launch {
        before = List.copyOf(before);
    }

    /** Returns the launch of a program on the disk. */
    public static Launch plain(byte[] path) {
        return new Launch(path, List.of(), false);
    }

    /** Returns the launch of a program on the disk. */
    public static Launch plain(String path) {
        return plain(SpawnRequest.bytes(path));
    }

    /** Returns the whole command line. */
    public List<String> argv(String name, List<String> arguments) {
        List<String> argv = new ArrayList<>(before);
        argv.addFirst(name);
        argv.addAll(arguments);
        return argv;
    }
}
