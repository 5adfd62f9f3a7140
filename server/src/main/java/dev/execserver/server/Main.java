package dev.execserver.server;

import dev.execserver.server.cli.Console;
import dev.execserver.server.cli.Program;
import dev.execserver.server.cli.RunningServer;
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
        Program program = new Program(
                List.of(new ServeCommand(config -> new Running(ExecServer.start(config)))),
                console,
                System.getProperty("os.name"));
        System.exit(program.run(args));
    }

    /** Keeps the arrows one way: the command line does not know the server, and the server not the command line. */
    private record Running(ExecServer server) implements RunningServer {
        @Override
        public String url() {
            return server.url();
        }

        @Override
        public void awaitStop() {
            server.awaitStop();
        }

        @Override
        public void close() {
            server.close();
        }
    }
}
