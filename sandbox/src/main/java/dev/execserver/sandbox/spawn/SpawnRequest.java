package dev.execserver.sandbox.spawn;

import dev.execserver.protocol.text.SurrogateEscapedText;
import dev.execserver.sandbox.linux.Fd;
import java.util.List;
import java.util.Optional;
import java.util.function.IntConsumer;

/**
 * A program to start, with all it gets. Strings are passed to the program as UTF-8.
 *
 * @param program path for execve(2), from {@link ProgramLookup}; a relative one starts at {@code cwd}
 * @param argv all arguments; the first is the name that the program sees, which may differ from its path
 * @param environment the complete environment of the child, as {@code NAME=value}
 * @param cwd working directory, absolute
 * @param stdio its standard streams
 * @param mark the mark of its descendants
 * @param inherited descriptors of this process that become 3, 4, ... of the child; the caller keeps and closes them
 * @param blockedSignals signals that stay blocked in the program and its children until they unblock them
 * @param restriction runs first on the starting thread, which is made for this one start; the child inherits its effect
 * @param whileHeld gets the pid before the program runs, on a spawner thread; if it throws, the program never runs. Costs a
 *     shell, see {@link HeldStart}
 */
@SuppressWarnings("ArrayRecordComponent") // paths are bytes; requests are never compared
public record SpawnRequest(
        byte[] program,
        List<String> argv,
        List<String> environment,
        byte[] cwd,
        Stdio stdio,
        ProcessMark mark,
        List<Fd> inherited,
        List<Integer> blockedSignals,
        Optional<Restriction> restriction,
        Optional<IntConsumer> whileHeld) {
    public SpawnRequest {
        argv = List.copyOf(argv);
        environment = List.copyOf(environment);
        inherited = List.copyOf(inherited);
        blockedSignals = List.copyOf(blockedSignals);
    }

    /** Makes a request without a restriction. */
    public SpawnRequest(
            byte[] program,
            List<String> argv,
            List<String> environment,
            byte[] cwd,
            Stdio stdio,
            ProcessMark mark,
            List<Fd> inherited) {
        this(program, argv, environment, cwd, stdio, mark, inherited, List.of(), Optional.empty(), Optional.empty());
    }

    /** Makes a request without further descriptors. */
    public SpawnRequest(
            byte[] program, List<String> argv, List<String> environment, byte[] cwd, Stdio stdio, ProcessMark mark) {
        this(program, argv, environment, cwd, stdio, mark, List.of());
    }

    /** Makes a request with paths as text. */
    public SpawnRequest(
            String program, List<String> argv, List<String> environment, String cwd, Stdio stdio, ProcessMark mark) {
        this(bytes(program), argv, environment, bytes(cwd), stdio, mark, List.of());
    }

    /** Returns a copy that is held before the program runs until the work is done. */
    public SpawnRequest heldFor(Optional<IntConsumer> work) {
        return new SpawnRequest(
                program, argv, environment, cwd, stdio, mark, inherited, blockedSignals, restriction, work);
    }

    /** Returns a copy with one more restriction, which comes after the present one. */
    public SpawnRequest restrictedBy(Restriction more) {
        Restriction all = restriction.map(first -> first.then(more)).orElse(more);
        return new SpawnRequest(
                program, argv, environment, cwd, stdio, mark, inherited, blockedSignals, Optional.of(all), whileHeld);
    }

    public static byte[] bytes(String text) {
        return SurrogateEscapedText.encode(text);
    }
}
