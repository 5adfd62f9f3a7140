package dev.execserver.protocol.process;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.execserver.protocol.net.NetworkProxyConfig;
import dev.execserver.protocol.net.NetworkProxySettings;
import dev.execserver.protocol.paths.PathUri;
import dev.execserver.protocol.rpc.Dialect;
import dev.execserver.protocol.rpc.JsonFields;
import dev.execserver.protocol.rpc.JsonSlice;
import dev.execserver.protocol.rpc.JsonWritable;
import dev.execserver.protocol.rpc.MessageBuffer;
import dev.execserver.protocol.rpc.MessageEncoder;
import java.io.IOException;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Params of {@code process/start}. Built with {@link StartParamsBuilder}.
 *
 * <p>Decoding checks types only. The server checks later that {@code argv} is not empty, that no string contains a NUL
 * and that {@code cwd} is a path of this host, after it has checked that the connection is initialized.
 *
 * @param processId chosen by the client, unique in its session, may be empty
 * @param cwd working directory
 * @param envPolicy if absent, the child gets only {@code env}
 * @param shellSnapshot state of a login shell that may be restored; safe to ignore
 * @param env variables that override those of the policy
 * @param tty true to run on a terminal
 * @param pipeStdin true to keep a pipe to stdin open; without it, and without {@code tty}, stdin is {@code /dev/null}
 * @param arg0 name that the program gets instead of {@code argv[0]}
 * @param sandbox sandbox context as undecoded JSON
 * @param enforceManagedNetwork with {@code sandbox}: allows network access only through a managed proxy
 * @param managedNetwork parameters of the managed network as undecoded JSON
 * @param networkProxy proxy to start for this process as undecoded JSON
 */
public record StartParams(
        String processId,
        Optional<StartMetadata> metadata,
        List<String> argv,
        PathUri cwd,
        Optional<EnvPolicy> envPolicy,
        Optional<JsonSlice> shellSnapshot,
        Map<String, String> env,
        boolean tty,
        boolean pipeStdin,
        Optional<String> arg0,
        Optional<JsonSlice> sandbox,
        boolean enforceManagedNetwork,
        Optional<JsonSlice> managedNetwork,
        Optional<JsonSlice> networkProxy,
        StartOptions options)
        implements JsonWritable {

    public StartParams {
        argv = List.copyOf(argv);
        // Map.copyOf would lose the order.
        env = Collections.unmodifiableMap(new LinkedHashMap<>(env));
    }

    /** Errors are those of {@link dev.execserver.protocol.rpc.ParamsReader} and of {@link PathUri#parse}. */
    public static StartParams read(JsonSlice params, Dialect dialect) {
        return StartParamsReader.read(params, dialect);
    }

    /**
     * Returns the params that are kept while the program runs. They have neither environment nor rules for
     * programs, and no reference to the message that contained the params.
     */
    public StartParams remembered() {
        return new StartParams(
                processId,
                Optional.empty(),
                argv,
                cwd,
                Optional.empty(),
                Optional.empty(),
                Map.of(),
                tty,
                pipeStdin,
                arg0,
                Optional.empty(),
                enforceManagedNetwork,
                Optional.empty(),
                Optional.empty(),
                options.withExecPolicy(Optional.empty()));
    }

    /** Returns the params of a process whose only network is a proxy of its own with these rules. */
    public StartParams withProxy(NetworkProxySettings rules) {
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
                true,
                managedNetwork,
                Optional.of(slice(NetworkProxyConfig.of(rules))),
                options);
    }

    /** Returns the same params with other additions. */
    public StartParams withOptions(StartOptions newOptions) {
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
                newOptions);
    }

    private static JsonSlice slice(JsonWritable value) {
        MessageBuffer out = new MessageBuffer();
        MessageEncoder.value(out, value);
        byte[] json = out.toByteArray();
        return JsonSlice.of(json, 0, json.length);
    }

    @Override
    public void writeTo(JsonGenerator g) throws IOException {
        g.writeStartObject();
        g.writeStringField("processId", processId);
        JsonFields.valueOrNull(g, "metadata", metadata);
        JsonFields.strings(g, "argv", argv);
        g.writeStringField("cwd", cwd.toUri());
        JsonFields.valueOrNull(g, "envPolicy", envPolicy);
        if (shellSnapshot.isPresent()) {
            JsonFields.sliceOrNull(g, "shellSnapshot", shellSnapshot);
        }
        JsonFields.stringMap(g, "env", env);
        g.writeBooleanField("tty", tty);
        g.writeBooleanField("pipeStdin", pipeStdin);
        JsonFields.orNull(g, "arg0", arg0);
        JsonFields.sliceOrNull(g, "sandbox", sandbox);
        g.writeBooleanField("enforceManagedNetwork", enforceManagedNetwork);
        JsonFields.sliceOrNull(g, "managedNetwork", managedNetwork);
        if (networkProxy.isPresent()) {
            JsonFields.sliceOrNull(g, "networkProxy", networkProxy);
        }
        options.writeMembers(g);
        g.writeEndObject();
    }
}
