package dev.execserver.client.process;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import dev.execserver.protocol.net.NetworkProxyConfig;
import dev.execserver.protocol.paths.PathUri;
import dev.execserver.protocol.permissions.SandboxContext;
import dev.execserver.protocol.process.EnvPolicy;
import dev.execserver.protocol.process.ExecPolicyParams;
import dev.execserver.protocol.process.ResourceLimits;
import dev.execserver.protocol.process.StartMetadata;
import dev.execserver.protocol.process.StartOptions;
import dev.execserver.protocol.process.StartParams;
import dev.execserver.protocol.process.StartParamsBuilder;
import dev.execserver.protocol.process.TerminalSize;
import dev.execserver.protocol.rpc.JsonSlice;
import dev.execserver.protocol.rpc.MessageBuffer;
import dev.execserver.protocol.rpc.MessageEncoder;
import dev.execserver.protocol.rpc.RpcException;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.UUID;

/**
 * Description of a process to start. Mutable and not thread-safe. Every method that sets something returns this, except
 * the two that return a copy.
 *
 * <p>Defaults: the program is looked up in PATH and runs in the server's working directory. It gets the core of the
 * server's environment (PATH, HOME, LANG and the like), no terminal and an empty stdin.
 */
public final class ProcessSpec implements Cloneable {

    private static final EnvPolicy CORE = new EnvPolicy(EnvPolicy.Inherit.CORE, true, List.of(), Map.of(), List.of());

    private static final JsonFactory JSON = new JsonFactory();

    private final List<String> argv;
    private String processId = "java-" + UUID.randomUUID();
    private Optional<PathUri> cwd = Optional.empty();
    private Map<String, String> env = Map.of();
    private Optional<EnvPolicy> envPolicy = Optional.of(CORE);
    private boolean tty;
    private boolean stdin;
    private Optional<String> arg0 = Optional.empty();
    private Optional<JsonSlice> sandbox = Optional.empty();
    private Optional<NetworkProxyConfig> networkProxy = Optional.empty();
    private Optional<StartMetadata> metadata = Optional.empty();
    private Optional<TerminalSize> size = Optional.empty();
    private OptionalLong timeoutMs = OptionalLong.empty();
    private OptionalLong idleTimeoutMs = OptionalLong.empty();
    private OptionalLong closeGraceMs = OptionalLong.empty();
    private Optional<ResourceLimits> limits = Optional.empty();
    private Optional<ExecPolicyParams> execPolicy = Optional.empty();
    private int bufferBytes = 1 << 20;

    private ProcessSpec(List<String> argv) {
        this.argv = List.copyOf(argv);
    }

    public static ProcessSpec of(String... argv) {
        return new ProcessSpec(List.of(argv));
    }

    public static ProcessSpec of(List<String> argv) {
        return new ProcessSpec(argv);
    }

    /** Sets the key of the process in its session; default a random one. */
    public ProcessSpec processId(String value) {
        processId = value;
        return this;
    }

    /**
     * Sets the absolute native path of the working directory.
     *
     * @throws IllegalArgumentException when it is not absolute or no path
     */
    public ProcessSpec cwd(String value) {
        try {
            return cwd(PathUri.ofNative(value));
        } catch (RpcException e) {
            throw new IllegalArgumentException("`%s` is no working directory: %s".formatted(value, e.message()), e);
        }
    }

    public ProcessSpec cwd(PathUri value) {
        cwd = Optional.of(value);
        return this;
    }

    /** Sets variables that override inherited ones. */
    public ProcessSpec env(Map<String, String> value) {
        env = Map.copyOf(value);
        return this;
    }

    /** Sets which variables of the server are inherited; none if empty. */
    public ProcessSpec inherit(Optional<EnvPolicy> value) {
        envPolicy = value;
        return this;
    }

    /** Runs the program on a terminal of the server's default size. */
    public ProcessSpec tty() {
        tty = true;
        return this;
    }

    /** Runs the program on a terminal of this size; needs the feature {@code size}. */
    public ProcessSpec tty(int cols, int rows) {
        size = Optional.of(new TerminalSize(cols, rows));
        return tty();
    }

    /** Keeps a pipe to stdin open; implied by a terminal. */
    public ProcessSpec stdin() {
        stdin = true;
        return this;
    }

    /** Sets the name under which the program sees itself. */
    public ProcessSpec arg0(String value) {
        arg0 = Optional.of(value);
        return this;
    }

    /** Sets the sandbox context as JSON, see "Sandboxes" in docs/protocol.md. */
    public ProcessSpec sandbox(JsonSlice value) {
        sandbox = Optional.of(value);
        return this;
    }

    /** Sets a network proxy for this process; needs a server with the capability {@code networkProxyLaunch}. */
    public ProcessSpec networkProxy(NetworkProxyConfig value) {
        networkProxy = Optional.of(value);
        return this;
    }

    boolean hasNetworkProxy() {
        return networkProxy.isPresent();
    }

    boolean hasTransparentTcp() {
        return networkProxy.filter(config -> config.proxy().transparentTcp()).isPresent();
    }

    /** Sets the sandbox context; {@link SandboxProfile} makes the usual ones. */
    public ProcessSpec sandbox(SandboxContext value) {
        StringWriter text = new StringWriter();
        try (JsonGenerator g = JSON.createGenerator(text)) {
            value.writeTo(g);
        } catch (IOException e) {
            throw new UncheckedIOException("a string takes everything", e);
        }
        return sandbox(JsonSlice.of(text.toString()));
    }

    /** Returns a copy with another random id; this spec does not change. */
    public ProcessSpec copy() {
        try {
            return ((ProcessSpec) clone()).processId("java-" + UUID.randomUUID());
        } catch (CloneNotSupportedException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Returns a {@link #copy()} without a sandbox, for an approved second attempt. */
    public ProcessSpec withoutSandbox() {
        ProcessSpec copy = copy();
        copy.sandbox = Optional.empty();
        return copy;
    }

    /** Sets for whom the process runs; for the server's logs. */
    public ProcessSpec metadata(StartMetadata value) {
        metadata = Optional.of(value);
        return this;
    }

    /** Sets the time after its start when the server ends the process; needs the feature {@code timeoutMs}. */
    public ProcessSpec timeout(Duration value) {
        timeoutMs = OptionalLong.of(value.toMillis());
        return this;
    }

    /** Sets the time without output after which the server ends the process; needs {@code idleTimeoutMs}. */
    public ProcessSpec idleTimeout(Duration value) {
        idleTimeoutMs = OptionalLong.of(value.toMillis());
        return this;
    }

    /** Sets how long the server waits for the end of the output after the exit; needs {@code closeGraceMs}. */
    public ProcessSpec closeGrace(Duration value) {
        closeGraceMs = OptionalLong.of(value.toMillis());
        return this;
    }

    /** Sets resource limits; the start fails if the server cannot enforce them. Needs the feature {@code limits}. */
    public ProcessSpec limits(ResourceLimits value) {
        limits = Optional.of(value);
        return this;
    }

    /**
     * Sets rules for the programs that the process executes; needs the feature {@code execPolicy}. Questions and reports go to
     * the client's {@link dev.execserver.client.exec.ExecApprovals}.
     */
    public ProcessSpec execPolicy(ExecPolicyParams value) {
        execPolicy = Optional.of(value);
        return this;
    }

    /** Sets the limit of output that waits in this JVM for its consumer, in bytes; default 1 MiB. */
    public ProcessSpec bufferBytes(int value) {
        bufferBytes = value;
        return this;
    }

    int bufferBytes() {
        return bufferBytes;
    }

    String processId() {
        return processId;
    }

    StartParams params(PathUri defaultCwd, boolean push) {
        StartParamsBuilder builder = new StartParamsBuilder(processId, cwd.orElse(defaultCwd), argv)
                .env(env)
                .tty(tty)
                .pipeStdin(stdin)
                .options(new StartOptions(size, timeoutMs, idleTimeoutMs, closeGraceMs, push, limits, execPolicy));
        envPolicy.ifPresent(builder::envPolicy);
        arg0.ifPresent(builder::arg0);
        sandbox.ifPresent(builder::sandbox);
        metadata.ifPresent(builder::metadata);
        networkProxy.ifPresent(config -> builder.networkProxy(slice(config)));
        return builder.build();
    }

    private static JsonSlice slice(NetworkProxyConfig config) {
        MessageBuffer json = new MessageBuffer();
        MessageEncoder.value(json, config);
        return JsonSlice.of(json.array(), json.offset(), json.length());
    }
}
