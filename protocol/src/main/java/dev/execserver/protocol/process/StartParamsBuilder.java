package dev.execserver.protocol.process;

import dev.execserver.protocol.paths.PathUri;
import dev.execserver.protocol.rpc.JsonSlice;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Builds {@link StartParams} for a client. Values that are not set get the default of the protocol. Not thread-safe.
 */
public final class StartParamsBuilder {

    private final String processId;
    private final PathUri cwd;
    private final List<String> argv;
    private Optional<StartMetadata> metadata = Optional.empty();
    private Optional<EnvPolicy> envPolicy = Optional.empty();
    private Optional<JsonSlice> shellSnapshot = Optional.empty();
    private Map<String, String> env = Map.of();
    private boolean tty;
    private boolean pipeStdin;
    private Optional<String> arg0 = Optional.empty();
    private Optional<JsonSlice> sandbox = Optional.empty();
    private boolean enforceManagedNetwork;
    private Optional<JsonSlice> managedNetwork = Optional.empty();
    private Optional<JsonSlice> networkProxy = Optional.empty();
    private StartOptions options = StartOptions.NONE;

    public StartParamsBuilder(String processId, PathUri cwd, List<String> argv) {
        this.processId = processId;
        this.cwd = cwd;
        this.argv = argv;
    }

    public StartParamsBuilder metadata(StartMetadata value) {
        metadata = Optional.of(value);
        return this;
    }

    public StartParamsBuilder envPolicy(EnvPolicy value) {
        envPolicy = Optional.of(value);
        return this;
    }

    public StartParamsBuilder shellSnapshot(JsonSlice value) {
        shellSnapshot = Optional.of(value);
        return this;
    }

    public StartParamsBuilder env(Map<String, String> value) {
        env = value;
        return this;
    }

    public StartParamsBuilder tty(boolean value) {
        tty = value;
        return this;
    }

    public StartParamsBuilder pipeStdin(boolean value) {
        pipeStdin = value;
        return this;
    }

    public StartParamsBuilder arg0(String value) {
        arg0 = Optional.of(value);
        return this;
    }

    public StartParamsBuilder sandbox(JsonSlice value) {
        sandbox = Optional.of(value);
        return this;
    }

    public StartParamsBuilder enforceManagedNetwork(boolean value) {
        enforceManagedNetwork = value;
        return this;
    }

    public StartParamsBuilder managedNetwork(JsonSlice value) {
        managedNetwork = Optional.of(value);
        return this;
    }

    public StartParamsBuilder networkProxy(JsonSlice value) {
        networkProxy = Optional.of(value);
        return this;
    }

    public StartParamsBuilder options(StartOptions value) {
        options = value;
        return this;
    }

    public StartParams build() {
        return new StartParams(
                processId,
                metadata,
                argv,
                cwd,
                envPolicy,
                shellSnapshot,
                env,
                tty,
                pipeStdin,
                arg0,
                sandbox,
                enforceManagedNetwork,
                managedNetwork,
                networkProxy,
                options);
    }
}
