package dev.execserver.protocol.process;

import dev.execserver.protocol.paths.PathUri;
import dev.execserver.protocol.rpc.Dialect;
import dev.execserver.protocol.rpc.JsonSlice;
import dev.execserver.protocol.rpc.ParamsReader;
import dev.execserver.protocol.rpc.RpcException;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Collects the members of {@link StartParams} in any order. */
final class StartParamsReader {

    private final Dialect dialect;
    private String processId;
    private Optional<StartMetadata> metadata = Optional.empty();
    private List<String> argv;
    private PathUri cwd;
    private Optional<EnvPolicy> envPolicy = Optional.empty();
    private Optional<JsonSlice> shellSnapshot = Optional.empty();
    private Map<String, String> env;
    private Boolean tty;
    private boolean pipeStdin;
    private Optional<String> arg0 = Optional.empty();
    private Optional<JsonSlice> sandbox = Optional.empty();
    private boolean enforceManagedNetwork;
    private Optional<JsonSlice> managedNetwork = Optional.empty();
    private Optional<JsonSlice> networkProxy = Optional.empty();
    private StartOptions options = StartOptions.NONE;

    private StartParamsReader(Dialect dialect) {
        this.dialect = dialect;
    }

    static StartParams read(JsonSlice params, Dialect dialect) {
        ParamsReader in = ParamsReader.of(params, "ExecParams");
        StartParamsReader members = new StartParamsReader(dialect);
        while (in.next()) {
            members.take(in);
        }
        return members.build(in);
    }

    private void take(ParamsReader in) {
        switch (in.name()) {
            case "processId" -> processId = in.string();
            case "metadata" -> metadata = in.structOrNull("ExecMetadata", StartMetadata::read);
            case "argv" -> argv = in.strings();
            case "cwd" -> cwd = PathUri.parse(in.string(), dialect);
            case "envPolicy" -> envPolicy = in.structOrNull("ExecEnvPolicy", EnvPolicy::read);
            case "shellSnapshot" -> shellSnapshot = in.sliceOrNull();
            case "env" -> env = in.stringMap();
            case "tty" -> tty = in.bool();
            case "pipeStdin" -> pipeStdin = in.bool();
            case "arg0" -> arg0 = in.stringOrNull();
            case "sandbox" -> sandbox = in.sliceOrNull();
            case "enforceManagedNetwork" -> enforceManagedNetwork = in.bool();
            case "managedNetwork" -> managedNetwork = in.sliceOrNull();
            case "networkProxy" -> networkProxy = in.sliceOrNull();
            default -> {
                if (dialect.open()) {
                    options = options.read(in);
                } else if (in.name().equals(StartOptions.EXEC_POLICY)
                        && in.sliceOrNull().isPresent()) {
                    // Ignored, it would let programs run that the client does not want to run.
                    throw RpcException.invalidParams(
                            "`execPolicy` is an addition to the protocol, which a server in the strict dialect does not have");
                }
            }
        }
    }

    private StartParams build(ParamsReader in) {
        return new StartParams(
                in.required("processId", processId),
                metadata,
                in.required("argv", argv),
                in.required("cwd", cwd),
                envPolicy,
                shellSnapshot,
                in.required("env", env),
                in.required("tty", tty),
                pipeStdin,
                arg0,
                sandbox,
                enforceManagedNetwork,
                managedNetwork,
                networkProxy,
                options);
    }
}
