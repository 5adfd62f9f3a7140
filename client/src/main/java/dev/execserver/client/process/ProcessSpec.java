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
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.UUID;
import java.util.function.Consumer;

/**
 * Description of a process to start. Immutable: every method that sets something returns a changed copy. A spec can be
 * started many times. {@link ProcessSpecBuilder} collects settings that depend on conditions.
 *
 * <p>Defaults: the program is looked up in PATH and runs in the server's working directory. It gets the core of the
 * server's environment (PATH, HOME, LANG and the like), no terminal and an empty stdin.
 */
public final class ProcessSpec implements Cloneable {

    private static final EnvPolicy CORE = new EnvPolicy(EnvPolicy.Inherit.CORE, true, List.of(), Map.of(), List.of());

    private static final JsonFactory JSON = new JsonFactory();

    private final List<String> argv;
    private Optional<String> processId = Optional.empty();
    private boolean redirectErrorStream;
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

    /** Returns a builder that begins without settings. */
    public static ProcessSpecBuilder builder(String... argv) {
        return of(argv).toBuilder();
    }

    /** Returns a builder that begins with these settings. */
    public ProcessSpecBuilder toBuilder() {
        return new ProcessSpecBuilder(this);
    }

    /** Sets the key of the process in its session; default a random one for each start. */
    public ProcessSpec processId(String value) {
        return with(copy -> copy.processId = Optional.of(value));
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
        return with(copy -> copy.cwd = Optional.of(value));
    }

    /** Sets variables that override inherited ones. */
    public ProcessSpec env(Map<String, String> value) {
        return with(copy -> copy.env = Map.copyOf(value));
    }

    /** Sets one more variable, which overrides an inherited one. */
    public ProcessSpec env(String name, String value) {
        Map<String, String> more = new LinkedHashMap<>(env);
        more.put(name, value);
        return with(copy -> copy.env = Collections.unmodifiableMap(more));
    }

    /**
     * Puts the output to stderr into the stream of stdout, in the order in which the server has read both. Events still
     * tell the two apart.
     */
    public ProcessSpec redirectErrorStream() {
        return with(copy -> copy.redirectErrorStream = true);
    }

    /** Sets which variables of the server are inherited; none if empty. */
    public ProcessSpec inherit(Optional<EnvPolicy> value) {
        return with(copy -> copy.envPolicy = value);
    }

    /** Runs the program on a terminal of the server's default size. */
    public ProcessSpec tty() {
        return with(copy -> copy.tty = true);
    }

    /** Runs the program on a terminal of this size; needs the feature {@code size}. */
    public ProcessSpec tty(int cols, int rows) {
        return tty().with(copy -> copy.size = Optional.of(new TerminalSize(cols, rows)));
    }

    /** Keeps a pipe to stdin open; implied by a terminal. */
    public ProcessSpec stdin() {
        return with(copy -> copy.stdin = true);
    }

    /** Sets the name under which the program sees itself. */
    public ProcessSpec arg0(String value) {
        return with(copy -> copy.arg0 = Optional.of(value));
    }

    /** Sets the sandbox context as JSON, see "Sandboxes" in docs/protocol.md. */
    public ProcessSpec sandbox(JsonSlice value) {
        return with(copy -> copy.sandbox = Optional.of(value));
    }

    /** Sets a network proxy for this process; needs a server with the capability {@code networkProxyLaunch}. */
    public ProcessSpec networkProxy(NetworkProxyConfig value) {
        return with(copy -> copy.networkProxy = Optional.of(value));
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

    /** Returns the same spec without an id of its own, so that each start gets another one. */
    public ProcessSpec copy() {
        return with(copy -> copy.processId = Optional.empty());
    }

    /** Returns a {@link #copy()} without a sandbox, for an approved second attempt. */
    public ProcessSpec withoutSandbox() {
        return copy().with(copy -> copy.sandbox = Optional.empty());
    }

    private ProcessSpec with(Consumer<ProcessSpec> change) {
        try {
            ProcessSpec copy = (ProcessSpec) clone();
            change.accept(copy);
            return copy;
        } catch (CloneNotSupportedException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Sets for whom the process runs; for the server's logs. */
    public ProcessSpec metadata(StartMetadata value) {
        return with(copy -> copy.metadata = Optional.of(value));
    }

    /** Sets the time after its start when the server ends the process; needs the feature {@code timeoutMs}. */
    public ProcessSpec timeout(Duration value) {
        return with(copy -> copy.timeoutMs = OptionalLong.of(value.toMillis()));
    }

    /** Sets the time without output after which the server ends the process; needs {@code idleTimeoutMs}. */
    public ProcessSpec idleTimeout(Duration value) {
        return with(copy -> copy.idleTimeoutMs = OptionalLong.of(value.toMillis()));
    }

    /** Sets how long the server waits for the end of the output after the exit; needs {@code closeGraceMs}. */
    public ProcessSpec closeGrace(Duration value) {
        return with(copy -> copy.closeGraceMs = OptionalLong.of(value.toMillis()));
    }

    /** Sets resource limits; the start fails if the server cannot enforce them. Needs the feature {@code limits}. */
    public ProcessSpec limits(ResourceLimits value) {
        return with(copy -> copy.limits = Optional.of(value));
    }

    /**
     * Sets rules for the programs that the process executes; needs the feature {@code execPolicy}. Questions and reports go to
     * the client's {@link dev.execserver.client.exec.ExecApprovals}.
     */
    public ProcessSpec execPolicy(ExecPolicyParams value) {
        return with(copy -> copy.execPolicy = Optional.of(value));
    }

    /** Sets the limit of output that waits in this JVM for its consumer, in bytes; default 1 MiB. */
    public ProcessSpec bufferBytes(int value) {
        return with(copy -> copy.bufferBytes = value);
    }

    int bufferBytes() {
        return bufferBytes;
    }

    boolean redirectsErrorStream() {
        return redirectErrorStream;
    }

    /** Returns the same spec with an id, random if none was set. */
    ProcessSpec identified() {
        return processId.isPresent() ? this : processId("java-" + UUID.randomUUID());
    }

    String processId() {
        return processId.orElseThrow();
    }

    StartParams params(PathUri defaultCwd, boolean push) {
        StartParamsBuilder builder = new StartParamsBuilder(processId(), cwd.orElse(defaultCwd), argv)
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
