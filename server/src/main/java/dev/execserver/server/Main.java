package dev.execserver.server;

import dev.execserver.server.cli.Console;
import dev.execserver.server.cli.Program;
import dev.execserver.server.cli.ServeCommand;
import java.util.List;

/**
 * The program {@code exec-server}. Runs on the JVM's main thread, which waits here until the command is done; the exit
 * status is 0, 1 for a failure ({@code Error: ...} on stderr) or 2 for a command that is written wrongly.
 */
public final class Main {
    private Main() {}

    public static void main(String[] args) {
        Console console = new Console(System.out, System.err, System.getenv());
        Program program =
                new Program(List.of(new ServeCommand(ExecServer::start)), console, System.getProperty("os.name"));
        System.exit(program.run(args));
    }
}
