package dev.execserver.it.support;

import static java.util.concurrent.TimeUnit.MILLISECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;

/**
 * One server process started by a test. Two daemon threads collect its stdout and stderr line by line. The test's thread
 * calls everything else.
 */
public final class ServerProcess implements AutoCloseable {
    private static final Duration START_LIMIT = Duration.ofSeconds(60);
    private static final Duration STOP_LIMIT = Duration.ofSeconds(40);
    private static final Duration STDERR_LIMIT = Duration.ofSeconds(30);

    private final Process process;
    private final Lines stdout;
    private final Lines stderr;

    private ServerProcess(Process process, boolean collectStdout) {
        this.process = process;
        this.stdout = collectStdout ? new Lines(process.getInputStream(), "server-stdout") : Lines.none();
        this.stderr = new Lines(process.getErrorStream(), "server-stderr");
    }

    /** Starts a WebSocket server on a free loopback port with further options. Returns when it listens. */
    public static ServerProcess listening(String... options) {
        return listening(List.of(), Map.of(), options);
    }

    /**
     * Starts a server as {@link #listening(String...)} does, with a command prefix such as {@code setsid} and further
     * environment variables.
     */
    public static ServerProcess listening(List<String> prefix, Map<String, String> environment, String... options) {
        List<String> arguments = new ArrayList<>(List.of("--listen", "ws://127.0.0.1:0"));
        arguments.addAll(List.of(options));
        List<String> command = new ArrayList<>(prefix);
        command.addAll(ServerCommand.of(arguments));
        ServerProcess server = new ServerProcess(launch(command, environment), true);
        try {
            server.url();
            return server;
        } catch (RuntimeException | Error e) {
            server.close();
            throw e;
        }
    }

    /** Starts the server with exactly these arguments, without waiting. */
    public static ServerProcess launched(String... arguments) {
        return new ServerProcess(launch(ServerCommand.of(List.of(arguments)), Map.of()), true);
    }

    /** Starts the server with a command prefix, a free port and these options, without waiting. */
    public static ServerProcess launched(List<String> prefix, String... options) {
        List<String> command = new ArrayList<>(prefix);
        command.addAll(ServerCommand.of(List.of("--listen", "ws://127.0.0.1:0")));
        command.addAll(List.of(options));
        return new ServerProcess(launch(command, Map.of()), true);
    }

    /** Starts the server with a command prefix, further environment variables and exactly these arguments, without waiting. */
    public static ServerProcess launched(List<String> prefix, Map<String, String> environment, String... arguments) {
        List<String> command = new ArrayList<>(prefix);
        command.addAll(ServerCommand.of(List.of(arguments)));
        return new ServerProcess(launch(command, environment), true);
    }

    /** Starts the server as {@link #launched} does; the caller reads {@link #fromServer()} itself. */
    static ServerProcess withOpenStdout(List<String> arguments) {
        return withOpenStdout(arguments, Map.of());
    }

    /** Does the same with further environment variables. */
    static ServerProcess withOpenStdout(List<String> arguments, Map<String, String> environment) {
        return new ServerProcess(launch(ServerCommand.of(arguments), environment), false);
    }

    /** Starts the server as above with a command prefix; the caller reads {@link #fromServer()} itself. */
    public static ServerProcess withOpenStdout(List<String> prefix, List<String> arguments) {
        List<String> command = new ArrayList<>(prefix);
        command.addAll(ServerCommand.of(arguments));
        return new ServerProcess(launch(command, Map.of()), false);
    }

    private static Process launch(List<String> command, Map<String, String> environment) {
        ProcessBuilder builder = new ProcessBuilder(command);
        builder.environment().putAll(environment);
        try {
            return builder.start();
        } catch (IOException e) {
            throw new UncheckedIOException("cannot start " + command, e);
        }
    }

    /** Returns the URL of the start-up line. */
    public URI url() {
        try {
            return URI.create(stdout.first().get(START_LIMIT.toMillis(), MILLISECONDS));
        } catch (ExecutionException | TimeoutException e) {
            throw new AssertionError("no URL line; stderr: " + stderr.text(), e);
        } catch (InterruptedException e) {
            throw interrupted(e);
        }
    }

    public int port() {
        return url().getPort();
    }

    public long pid() {
        return process.pid();
    }

    public boolean alive() {
        return process.isAlive();
    }

    public List<String> stdoutLines() {
        return stdout.all();
    }

    public String stderr() {
        return stderr.text();
    }

    /** Waits until stderr contains the text, because a separate thread reads stderr a little later. */
    public void awaitStderr(String part) {
        await("said on stderr")
                .atMost(STDERR_LIMIT)
                .untilAsserted(() -> assertThat(stderr()).contains(part));
    }

    OutputStream toServer() {
        return process.getOutputStream();
    }

    InputStream fromServer() {
        return process.getInputStream();
    }

    /** Sends SIGTERM and returns the exit status. */
    public int stop() {
        process.destroy();
        return exitStatus();
    }

    /** Sends SIGKILL; returns when the kernel has reaped the server. */
    public void killHard() {
        process.destroyForcibly();
        exitStatus();
    }

    /** Waits for the end of the server and of both streams, and returns the exit status. */
    public int exitStatus() {
        try {
            if (!process.waitFor(STOP_LIMIT.toMillis(), MILLISECONDS)) {
                process.destroyForcibly();
                throw new AssertionError("server did not end within " + STOP_LIMIT + "; stderr: " + stderr.text());
            }
            stdout.awaitEnd();
            stderr.awaitEnd();
            return process.exitValue();
        } catch (InterruptedException e) {
            throw interrupted(e);
        }
    }

    @Override
    public void close() {
        if (process.isAlive()) {
            stop();
        }
    }

    static IllegalStateException interrupted(InterruptedException e) {
        Thread.currentThread().interrupt();
        return new IllegalStateException("test interrupted", e);
    }

    /** Lines of one stream, guarded by the list's monitor. */
    private static final class Lines {
        private final List<String> lines = new ArrayList<>();
        private final CompletableFuture<String> first = new CompletableFuture<>();
        private final CompletableFuture<Boolean> ended = new CompletableFuture<>();

        private Lines() {
            ended.complete(true);
        }

        Lines(InputStream in, String name) {
            Thread.ofPlatform().daemon().name(name).start(() -> collect(in));
        }

        static Lines none() {
            return new Lines();
        }

        private void collect(InputStream in) {
            try (BufferedReader reader = new BufferedReader(new InputStreamReader(in, StandardCharsets.UTF_8))) {
                for (String line = reader.readLine(); line != null; line = reader.readLine()) {
                    synchronized (lines) {
                        lines.add(line);
                    }
                    first.complete(line);
                }
            } catch (IOException e) {
                first.completeExceptionally(e);
            } finally {
                first.completeExceptionally(new IOException("stream ended without a line"));
                ended.complete(true);
            }
        }

        CompletableFuture<String> first() {
            return first;
        }

        List<String> all() {
            synchronized (lines) {
                return List.copyOf(lines);
            }
        }

        String text() {
            return String.join("\n", all());
        }

        void awaitEnd() throws InterruptedException {
            try {
                ended.get(2, java.util.concurrent.TimeUnit.SECONDS);
            } catch (ExecutionException | TimeoutException e) {
                // A descendant may hold the stream open; then the lines so far must do.
            }
        }
    }
}
