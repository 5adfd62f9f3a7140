package dev.execserver.sandbox.spawn;

import dev.execserver.sandbox.linux.Fd;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * A start in which something is done to the process before the program runs: limits are set, say. posix_spawn(3) cannot stop
 * a child, so a shell waits for a byte and then becomes the program, with the same pid. It ends when nothing comes. The shell
 * may add PWD and the like to the environment. Stateless.
 */
final class HeldStart {

    /** The shell of the system. */
    static final Launch SHELL = Launch.plain("/bin/sh");

    /** %1$d: the descriptor that the byte comes on. Shells know descriptors of one digit only. */
    private static final String SCRIPT = "read -r go <&%1$d; [ -n \"$go\" ] || exit 125; exec %1$d<&-; exec \"$@\"";

    private static final int FIRST_INHERITED = 3;
    private static final int LAST_OF_SHELL = 9;

    private HeldStart() {}

    /** The same start through the shell. The program sees its path as its name. */
    static SpawnRequest wrapped(SpawnRequest request, Fd gate, Launch shell) {
        int number = FIRST_INHERITED + request.inherited().size();
        if (number > LAST_OF_SHELL) {
            throw new IllegalArgumentException("too many descriptors for a start that is held back: " + number);
        }
        String program = new String(request.program(), StandardCharsets.UTF_8);
        List<String> argv = new ArrayList<>(List.of("-c", SCRIPT.formatted(number), "sh"));
        argv.add(program.indexOf('/') < 0 ? "./" + program : program);
        argv.addAll(request.argv().subList(1, request.argv().size()));
        List<Fd> inherited = new ArrayList<>(request.inherited());
        inherited.add(gate);
        return new SpawnRequest(
                shell.program(),
                shell.argv("sh", argv),
                request.environment(),
                request.cwd(),
                request.stdio(),
                request.mark(),
                inherited,
                request.blockedSignals(),
                request.restriction(),
                Optional.empty());
    }
}
