package dev.execserver.server;

import dev.execserver.cli.Console;
import dev.execserver.server.cli.Program;
import dev.execserver.server.concurrent.Threads;
import java.io.ByteArrayOutputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.Map;

/**
 * Runs {@code exec-server serve}, and {@code exec-server run} against it in the same JVM, while the JVM records the
 * start-up cache: one recording must know the classes of both. The packaging calls it; it is not a command.
 */
final class CacheTrainingMain {

    private CacheTrainingMain() {}

    public static void main(String[] arguments) {
        System.exit(program(new FirstLine(System.out)).run(arguments));
    }

    private static Program program(OutputStream out) {
        Console console = new Console(new PrintStream(out, true, StandardCharsets.UTF_8), System.err, System.getenv());
        return new Program(Main.commands(), console, System.getProperty("os.name"));
    }

    private static void runAgainst(String url) {
        PrintStream nowhere = new PrintStream(OutputStream.nullOutputStream(), true, StandardCharsets.UTF_8);
        Console console = new Console(nowhere, System.err, Map.of());
        for (String script : new String[] {"echo heard >&2", "exit 3"}) {
            int _ = new Program(Main.commands(), console, System.getProperty("os.name"))
                    .run("run", "--url", url, "--no-tty", "--", "sh", "-c", script);
        }
    }

    /**
     * Passes on the URL that the server prints, after the client has run. The output of that client must go elsewhere.
     */
    private static final class FirstLine extends OutputStream {
        private final ByteArrayOutputStream line = new ByteArrayOutputStream();
        private final PrintStream target;

        FirstLine(PrintStream target) {
            this.target = target;
        }

        @Override
        public void write(int b) {
            line.write(b);
            if (b == '\n') {
                String url = line.toString(StandardCharsets.UTF_8).strip();
                Threads.daemon("rehearsal", () -> {
                    runAgainst(url);
                    target.println(url);
                });
            }
        }
    }
}
