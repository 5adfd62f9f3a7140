package dev.execserver.server.exec;

import dev.execserver.protocol.paths.PathUri;
import dev.execserver.protocol.process.ExecutedProgram;
import dev.execserver.protocol.text.SurrogateEscapedText;
import dev.execserver.sandbox.intercept.ExecRequest;
import dev.execserver.sandbox.intercept.FoundProgram;
import dev.execserver.sandbox.intercept.ProgramFile;
import dev.execserver.sandbox.linux.EntryCalls;
import dev.execserver.sandbox.linux.FileCalls;
import dev.execserver.sandbox.linux.FileStatus;
import dev.execserver.sandbox.linux.LinuxException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.OptionalLong;
import java.util.stream.Stream;

/**
 * A program that is decided about.
 *
 * @param pid empty for the command's own program, which is executed by the path of its file
 * @param program its file
 * @param involved what it brings with it: the interpreters of a script, the program of a dynamic loader
 * @param typed the path by which it was called
 */
@SuppressWarnings("ArrayRecordComponent") // paths are bytes; never compared
record AskedProgram(
        OptionalLong pid,
        OptionalLong parentPid,
        ProgramFile program,
        List<AskedProgram> involved,
        byte[] typed,
        List<byte[]> argv,
        byte[] cwd) {

    private static final byte[] ROOT = {};

    AskedProgram {
        involved = List.copyOf(involved);
        argv = List.copyOf(argv);
    }

    static AskedProgram of(ExecRequest request) {
        return of(
                OptionalLong.of(request.pid()),
                OptionalLong.of(request.parentPid()),
                new FoundProgram(request.program(), request.involved()),
                request.typed(),
                request.argv(),
                request.cwd());
    }

    /**
     * Returns the own program of a command that is to be started. Touches files.
     *
     * @param found path of the program, absolute or relative to {@code cwd}
     * @param environment of the command, as {@code NAME=value}
     * @throws dev.execserver.sandbox.linux.LinuxException if there is no such program any more
     */
    static AskedProgram own(byte[] found, List<String> argv, List<String> environment, byte[] cwd) {
        List<byte[]> given = encoded(argv);
        return of(
                OptionalLong.empty(),
                OptionalLong.empty(),
                FoundProgram.find(found, given, encoded(environment), cwd),
                absolute(found, cwd),
                given,
                cwd);
    }

    private static List<byte[]> encoded(List<String> texts) {
        return texts.stream().map(SurrogateEscapedText::encode).toList();
    }

    private static AskedProgram of(
            OptionalLong pid, OptionalLong parentPid, FoundProgram found, byte[] typed, List<byte[]> argv, byte[] cwd) {
        List<AskedProgram> involved = found.involved().stream()
                .map(other ->
                        new AskedProgram(pid, parentPid, other.program(), List.of(), other.typed(), other.argv(), cwd))
                .toList();
        return new AskedProgram(pid, parentPid, found.program(), involved, typed, argv, cwd);
    }

    /** Returns the path of the file, without links. */
    byte[] path() {
        return program.path();
    }

    FileStatus file() {
        return program.status();
    }

    /** Returns true if the server sees the same file under this path. */
    boolean onHost() {
        return program.onHost();
    }

    boolean script() {
        return program.kind() instanceof ProgramFile.Kind.Script;
    }

    /** Returns the program and all that it brings with it. */
    Stream<AskedProgram> all() {
        return Stream.concat(Stream.of(this), involved.stream());
    }

    /** Returns true if all files are still what they were, under their paths. Touches files. */
    boolean unchanged() {
        return all().allMatch(AskedProgram::fileUnchanged);
    }

    private boolean fileUnchanged() {
        try {
            FileStatus now = FileCalls.status(path(), false);
            return now.sameFile(file())
                    && now.changedNs() == file().changedNs()
                    && now.size() == file().size()
                    && Arrays.equals(EntryCalls.realPath(path()), path());
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
        return SurrogateEscapedText.decode(path());
    }

    /** Returns the arguments behind the program's name, as text that matches words of rules. */
    List<String> rest() {
        return argv.stream().skip(1).map(SurrogateEscapedText::decode).toList();
    }

    /** Returns the base name of the first argument, by which programs with several functions choose one. */
    String calledAs() {
        return argv.isEmpty() ? "" : baseName(SurrogateEscapedText.decode(argv.getFirst()));
    }

    /** Returns the paths of links that stand for it, and the one that was typed. */
    Stream<String> calledBy() {
        return Stream.concat(program.trail().links().stream(), Stream.of(absolute(typed, cwd)))
                .map(SurrogateEscapedText::decode)
                .distinct();
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
        return new ExecutedProgram(pid, parentPid, uri(path()), shown, uri(cwd));
    }

    /** A file without a name has no absolute path. */
    private static PathUri uri(byte[] path) {
        return PathUri.ofNative(absolute(path, ROOT));
    }
}
