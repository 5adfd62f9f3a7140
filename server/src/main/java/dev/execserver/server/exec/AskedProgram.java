package dev.execserver.server.exec;

import dev.execserver.protocol.paths.PathUri;
import dev.execserver.protocol.process.ExecutedProgram;
import dev.execserver.protocol.text.SurrogateEscapedText;
import dev.execserver.sandbox.intercept.ExecRequest;
import dev.execserver.sandbox.linux.EntryCalls;
import dev.execserver.sandbox.linux.FileCalls;
import dev.execserver.sandbox.linux.FileStatus;
import dev.execserver.sandbox.linux.LinuxException;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;

/**
 * A program that is decided about.
 *
 * @param pid empty for the command's own program
 * @param path of the file, without links
 * @param typed the path by which it was called
 * @param onHost true if the server sees the same file under this path
 */
@SuppressWarnings("ArrayRecordComponent") // paths are bytes; never compared
record AskedProgram(
        OptionalLong pid,
        OptionalLong parentPid,
        byte[] path,
        byte[] typed,
        FileStatus file,
        boolean onHost,
        List<byte[]> argv,
        byte[] cwd) {

    private static final byte[] ROOT = {};

    AskedProgram {
        argv = List.copyOf(argv);
    }

    static AskedProgram of(ExecRequest request) {
        return new AskedProgram(
                OptionalLong.of(request.pid()),
                OptionalLong.of(request.parentPid()),
                request.program().path(),
                request.typed(),
                request.program().status(),
                request.program().onHost(),
                request.argv(),
                request.cwd());
    }

    /**
     * Returns the own program of a command that is to be started. Touches files.
     *
     * @param found path of the program, absolute or relative to {@code cwd}
     * @throws dev.execserver.sandbox.linux.LinuxException if there is no such file any more
     */
    static AskedProgram own(byte[] found, List<String> argv, byte[] cwd) {
        byte[] absolute = absolute(found, cwd);
        byte[] real = EntryCalls.realPath(absolute);
        return new AskedProgram(
                OptionalLong.empty(),
                OptionalLong.empty(),
                real,
                absolute,
                FileCalls.status(real, true),
                true,
                argv.stream().map(SurrogateEscapedText::encode).toList(),
                cwd);
    }

    /** Returns true if the path by which it was called still leads to the same content. Touches files. */
    boolean unchanged() {
        try {
            FileStatus now = FileCalls.status(typed, true);
            return now.sameFile(file) && now.changedNs() == file.changedNs() && now.size() == file.size();
        } catch (LinuxException e) {
            return false; // gone
        }
    }

    /** Returns a path that begins at the root. */
    static byte[] absolute(byte[] path, byte[] folder) {
        if (path.length > 0 && path[0] == '/') {
            return path;
        }
        byte[] joined = new byte[folder.length + 1 + path.length];
        System.arraycopy(folder, 0, joined, 0, folder.length);
        joined[folder.length] = '/';
        System.arraycopy(path, 0, joined, folder.length + 1, path.length);
        return joined;
    }

    /** Returns the path as text that matches words of rules. */
    String text() {
        return SurrogateEscapedText.decode(path);
    }

    /** Returns the arguments behind the program's name, as text that matches words of rules. */
    List<String> rest() {
        return argv.stream().skip(1).map(SurrogateEscapedText::decode).toList();
    }

    /** Returns the base name of the first argument, by which programs with several functions choose one. */
    String calledAs() {
        return argv.isEmpty() ? "" : baseName(SurrogateEscapedText.decode(argv.getFirst()));
    }

    static String baseName(String path) {
        return path.substring(path.lastIndexOf('/') + 1);
    }

    long argumentBytes() {
        return argv.stream().mapToLong(argument -> argument.length + 1L).sum();
    }

    /** Returns the form for the client, with the first arguments that have room. */
    ExecutedProgram described(long maxArgumentBytes) {
        List<String> shown = new ArrayList<>();
        long bytes = 0;
        for (byte[] argument : argv) {
            bytes += argument.length + 1L;
            if (bytes > maxArgumentBytes) {
                break;
            }
            shown.add(SurrogateEscapedText.decode(argument));
        }
        return new ExecutedProgram(pid, parentPid, uri(path), shown, uri(cwd));
    }

    /** A file without a name has no absolute path. */
    private static PathUri uri(byte[] path) {
        return PathUri.ofNative(absolute(path, ROOT));
    }
}
