package dev.execserver.client.command;

import dev.execserver.protocol.paths.PathUri;
import dev.execserver.protocol.permissions.SandboxContext;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Description of a command that is run to its end. Mutable and not thread-safe; every method that sets something
 * returns this.
 *
 * <p>Defaults: no sandbox, the server's working directory, all variables of the server, an empty input, no time limit,
 * and 1 MiB of each output stream.
 */
public final class CommandSpec {

    private static final int OUTPUT_BYTES = 1 << 20;

    private final List<String> argv;
    private Optional<PathUri> cwd = Optional.empty();
    private Map<String, String> env = Map.of();
    private byte[] stdin = {};
    private Optional<Duration> timeout = Optional.empty();
    private int outputBytes = OUTPUT_BYTES;
    private Optional<SandboxContext> sandbox = Optional.empty();

    private CommandSpec(List<String> argv) {
        this.argv = List.copyOf(argv);
    }

    public static CommandSpec of(String... argv) {
        return new CommandSpec(List.of(argv));
    }

    public static CommandSpec of(List<String> argv) {
        return new CommandSpec(argv);
    }

    /** Sets the working directory. */
    public CommandSpec cwd(PathUri value) {
        cwd = Optional.of(value);
        return this;
    }

    /** Sets variables over those of the server. */
    public CommandSpec env(Map<String, String> value) {
        env = Map.copyOf(value);
        return this;
    }

    /** Sets the whole input. */
    public CommandSpec stdin(byte[] value) {
        stdin = value.clone();
        return this;
    }

    /** Sets the time after which the command is killed; its exit code is {@link CommandResult#TIMED_OUT} then. */
    public CommandSpec timeout(Duration value) {
        timeout = Optional.of(value);
        return this;
    }

    /** Sets how many bytes of each output stream are kept. The rest is dropped, and the result says so. */
    public CommandSpec outputBytes(int value) {
        outputBytes = value;
        return this;
    }

    /** Sets the sandbox; {@link dev.execserver.client.process.SandboxProfile} makes the usual ones. */
    public CommandSpec sandbox(SandboxContext value) {
        sandbox = Optional.of(value);
        return this;
    }

    List<String> argv() {
        return argv;
    }

    Optional<PathUri> cwd() {
        return cwd;
    }

    Map<String, String> env() {
        return env;
    }

    byte[] stdin() {
        return stdin.clone();
    }

    Optional<Duration> timeout() {
        return timeout;
    }

    int outputBytes() {
        return outputBytes;
    }

    Optional<SandboxContext> sandbox() {
        return sandbox;
    }
}
