package dev.execserver.sandbox.spawn;

import dev.execserver.protocol.text.ExactText;
import dev.execserver.sandbox.linux.Fd;
import java.util.List;
import java.util.Optional;
import java.util.function.IntConsumer;

/**
 * What to start. Strings are passed to the program as UTF-8.
 *
 * @param program path for execve(2) as {@link ProgramLookup} found it; a relative one starts at {@code cwd}
 * @param argv all arguments, the first being the name the program sees, which need not be its path
 * @param environment exactly the environment of the child, {@code NAME=value} each
 * @param cwd working directory, absolute
 * @param stdio its standard streams
 * @param mark what its descendants will bear
 * @param inherited descriptors of this process that become 3, 4, ... of the child; they stay the caller's
 * @param blockedSignals numbers of signals that the program, and what it starts, does not get before it unblocks them
 * @param restriction what the starting thread does to itself first, and hands down to the child: it runs on a thread made
 *     for this one start, and must neither start threads nor wake virtual ones, which would be restricted as well
 * @param whileHeld gets the pid while the program does not run yet, on a spawner thread; when it throws, the program never
 *     runs. Costs a shell, see {@link HeldStart}
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
        Optional<Runnable> restriction,
        Optional<IntConsumer> whileHeld) {
    public SpawnRequest {
        argv = List.copyOf(argv);
        environment = List.copyOf(environment);
        inherited = List.copyOf(inherited);
        blockedSignals = List.copyOf(blockedSignals);
    }

    /** Without a restriction. */
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

    /** Without further descriptors. */
    public SpawnRequest(
            byte[] program, List<String> argv, List<String> environment, byte[] cwd, Stdio stdio, ProcessMark mark) {
        this(program, argv, environment, cwd, stdio, mark, List.of());
    }

    /** With paths as text. */
    public SpawnRequest(
            String program, List<String> argv, List<String> environment, String cwd, Stdio stdio, ProcessMark mark) {
        this(bytes(program), argv, environment, bytes(cwd), stdio, mark, List.of());
    }

    /** The same, held back until that was done. */
    public SpawnRequest heldFor(Optional<IntConsumer> work) {
        return new SpawnRequest(
                program, argv, environment, cwd, stdio, mark, inherited, blockedSignals, restriction, work);
    }

    static byte[] bytes(String text) {
        return ExactText.encode(text);
    }
}
