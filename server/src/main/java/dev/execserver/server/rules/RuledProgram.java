package dev.execserver.server.rules;

import dev.execserver.sandbox.linux.ContentCalls;
import dev.execserver.sandbox.linux.EntryCalls;
import dev.execserver.sandbox.linux.Fd;
import dev.execserver.sandbox.linux.FileCalls;
import dev.execserver.sandbox.linux.FileStatus;
import dev.execserver.sandbox.linux.LinuxException;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/**
 * The program that a rule about connections names: the file behind the links of its path, as it was when the rule began to hold. What
 * the command does to the links later changes nothing. Immutable.
 */
public final class RuledProgram {
    private static final int MAX_PATH = 4096;

    private final String text;
    private final Optional<ConnectingProgram> file;

    private RuledProgram(String text, Optional<ConnectingProgram> file) {
        this.text = text;
        this.file = file;
    }

    /** Returns the reason why a text can name no program; empty if it may name one. Touches no files. */
    public static Optional<String> flaw(String text) {
        boolean path = text.startsWith("/") && text.length() > 1 && text.length() <= MAX_PATH && text.indexOf('\0') < 0;
        return path
                ? Optional.empty()
                : Optional.of("program `%s` can never match: it must be an absolute path".formatted(text));
    }

    /** Returns the reason why no process runs such a file itself; empty if one may. Touches files. */
    public static Optional<String> useless(String text) {
        try (Fd file = open(text)) {
            String why = !FileCalls.status(file).regular()
                    ? "it is no file"
                    : script(EntryCalls.nameOf(file)) ? "it is a script; name its interpreter" : "";
            return why.isEmpty()
                    ? Optional.empty()
                    : Optional.of("program `%s` can never match: %s".formatted(text, why));
        } catch (LinuxException e) {
            return Optional.empty(); // it may come yet
        }
    }

    /**
     * Finds the file. Touches files. One that does not exist, or cannot be looked at, forbids by its path and allows nothing.
     *
     * @param text without a {@link #flaw}
     */
    public static RuledProgram of(String text) {
        try (Fd file = open(text)) {
            FileStatus status = FileCalls.status(file);
            String path = new String(EntryCalls.nameOf(file), StandardCharsets.UTF_8);
            return new RuledProgram(text, Optional.of(ConnectingProgram.of(path, status)));
        } catch (LinuxException e) {
            return new RuledProgram(text, Optional.empty());
        }
    }

    private static Fd open(String text) {
        return FileCalls.open(text.getBytes(StandardCharsets.UTF_8), FileCalls.O_PATH, 0);
    }

    private static boolean script(byte[] path) {
        // It may be another file by now: opening a pipe must not wait.
        try (Fd file = FileCalls.open(path, FileCalls.O_RDONLY | FileCalls.O_NONBLOCK, 0)) {
            byte[] start = new byte[2];
            return ContentCalls.read(file, start, 0, start.length, 0) == start.length
                    && start[0] == '#'
                    && start[1] == '!';
        } catch (LinuxException e) {
            return false; // what cannot be read may be executed all the same
        }
    }

    /** Returns the path as the rule has it. */
    public String text() {
        return text;
    }

    /** Returns true if a connection is surely one of this program: what it allows is allowed. */
    public boolean is(Optional<ConnectingProgram> program) {
        return file.isPresent() && file.equals(program);
    }

    /** Returns true if a connection could be one of this program: what it forbids is forbidden. Hard links are the same file. */
    public boolean maybe(Optional<ConnectingProgram> program) {
        return program.isEmpty()
                || text.equals(program.get().path())
                || file.filter(own -> own.path().equals(program.get().path()) || own.sameFile(program.get()))
                        .isPresent();
    }
}
