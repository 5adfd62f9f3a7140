package dev.execserver.cli.client;

import dev.execserver.cli.local.ConfigException;
import dev.execserver.cli.secret.SecretFile;
import java.io.File;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;

/**
 * Command of the user that writes the token, for a store of secrets. A shell runs it for each connection, so a token that has expired is
 * replaced. Its stderr is that of this program; it gets no input, because that is for the remote program.
 *
 * @param limit time that the command has; it is ended then
 */
record TokenCommand(String line, Duration limit) implements Supplier<String> {
    /** Time in which a person can find and touch a key. */
    static final Duration LIMIT = Duration.ofMinutes(5);

    TokenCommand(String line) {
        this(line, LIMIT);
    }

    @Override
    public String get() {
        try {
            Process process = new ProcessBuilder("sh", "-c", line)
                    .redirectInput(ProcessBuilder.Redirect.from(new File("/dev/null")))
                    .redirectError(ProcessBuilder.Redirect.INHERIT)
                    .start();
            try {
                return token(process);
            } finally {
                process.descendants().forEach(ProcessHandle::destroy);
                process.destroyForcibly();
            }
        } catch (IOException e) {
            throw ConfigException.failure("the token command cannot be run: " + e.getMessage());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw ConfigException.failure("interrupted while the token command ran");
        }
    }

    private String token(Process process) throws IOException, InterruptedException {
        long end = System.nanoTime() + limit.toNanos();
        SecretFile secret = output(process);
        if (!process.waitFor(end - System.nanoTime(), TimeUnit.NANOSECONDS)) {
            throw tooLong();
        }
        if (process.exitValue() != 0) {
            throw ConfigException.failure("the token command ended with status " + process.exitValue());
        }
        secret.notAToken().ifPresent(why -> {
            throw ConfigException.failure("the output of the token command " + why);
        });
        return secret.token();
    }

    /** Reads on a thread of its own, because a read of a pipe has no limit. */
    private SecretFile output(Process process) throws IOException, InterruptedException {
        CompletableFuture<SecretFile> read = new CompletableFuture<>();
        CliThreads.daemon("token-command", () -> {
            try {
                read.complete(SecretFile.read(process.getInputStream()));
            } catch (IOException e) {
                read.completeExceptionally(e);
            }
        });
        try {
            return read.get(limit.toNanos(), TimeUnit.NANOSECONDS);
        } catch (TimeoutException e) {
            throw tooLong();
        } catch (ExecutionException e) {
            throw new IOException(e.getCause().getMessage(), e);
        }
    }

    private ConfigException tooLong() {
        return ConfigException.failure("the token command has not ended after %d s".formatted(limit.toSeconds()));
    }
}
