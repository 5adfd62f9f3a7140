package dev.execserver.it.support;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.concurrent.TimeUnit.SECONDS;

import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * A finished run of the packaged program as a client. Its output goes to files.
 *
 * @param status its exit status
 */
public record Program(int status, String out, String err) {
    private static final long LIMIT_SECONDS = 30;

    /** Starts the program; the caller writes its input. */
    public static Running start(Path directory, String... arguments) {
        List<String> command = new ArrayList<>(ServerCommand.of(List.of(arguments)));
        try {
            Path out = Files.createTempFile(directory, "out", "");
            Path err = Files.createTempFile(directory, "err", "");
            Process process = new ProcessBuilder(command)
                    .redirectOutput(out.toFile())
                    .redirectError(err.toFile())
                    .start();
            return new Running(process, out, err);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Runs the program with this input. */
    public static Program run(Path directory, String input, String... arguments) {
        Running running = start(directory, arguments);
        running.type(input);
        running.endInput();
        return running.end();
    }

    /** A program that has not ended. */
    public record Running(Process process, Path outFile, Path errFile) {
        public void type(String input) {
            try {
                process.getOutputStream().write(input.getBytes(UTF_8));
                process.getOutputStream().flush();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        public void endInput() {
            try (OutputStream _ = process.getOutputStream()) {
                // Opened only to be closed.
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        public void signal(String name) {
            try {
                new ProcessBuilder("kill", "-" + name, Long.toString(process.pid()))
                        .start()
                        .waitFor();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            } catch (InterruptedException e) {
                throw ServerProcess.interrupted(e);
            }
        }

        public String out() {
            return text(outFile);
        }

        public String err() {
            return text(errFile);
        }

        public Program end() {
            try {
                if (!process.waitFor(LIMIT_SECONDS, SECONDS)) {
                    process.destroyForcibly();
                    throw new AssertionError("the program did not end; stderr: " + err());
                }
                return new Program(process.exitValue(), out(), err());
            } catch (InterruptedException e) {
                throw ServerProcess.interrupted(e);
            }
        }

        private static String text(Path file) {
            try {
                return Files.readString(file);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }
}
