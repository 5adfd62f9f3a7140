package dev.execserver.sandbox.spawn;

import dev.execserver.sandbox.linux.Fd;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Holds a start so that something can be done to the process before the program runs, such as setting limits. posix_spawn(3)
 * cannot stop a child. So a shell waits for a byte and then becomes the program, with the same pid. If no byte comes, the
 * shell ends. The shell may add PWD and similar variables to the environment. Stateless.
 */
final class HeldStart {

    /** The shell of the system. */
    static final Launch SHELL = Launch.plain("/bin/sh");

    /** The script; %1$d is the descriptor that brings the byte. Shells know only descriptors of one digit. */
    private static final String SCRIPT = "read -r go <&%1$d; [ -n \"$go\" ] || exit 125; exec %1$d<&-; exec \"$@\"";

    private static final int FIRST_INHERITED = 3;
    private static final int LAST_OF_SHELL = 9;

    private HeldStart() {}

    /** Returns the same start through the shell. The program sees its path as its name. */
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
        request.restriction().ifPresent(Restriction::alsoExecuted);
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
