package dev.execserver.protocol.process;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.execserver.protocol.paths.PathUri;
import dev.execserver.protocol.rpc.Dialect;
import dev.execserver.protocol.rpc.JsonFields;
import dev.execserver.protocol.rpc.JsonSlice;
import dev.execserver.protocol.rpc.JsonWritable;
import java.io.IOException;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Params of {@code process/start}. Built with {@link StartParamsBuilder}.
 *
 * <p>Decoding checks types only. That {@code argv} is not empty, that no string holds a NUL and that {@code cwd} is a
 * path of this host is for the server to check, after it has checked that the call is in order.
 *
 * @param processId chosen by the client, unique in its session, may be empty
 * @param cwd working directory
 * @param envPolicy absent: the child gets {@code env} and nothing else
 * @param shellSnapshot state of a login shell that may be restored; safe to ignore
 * @param env variables laid over what the policy gives
 * @param tty run on a terminal
 * @param pipeStdin keep a pipe to stdin open; without it, and without {@code tty}, stdin is {@code /dev/null}
 * @param arg0 what the program sees as its own name instead of {@code argv[0]}
 * @param sandbox sandbox context, not looked into here
 * @param enforceManagedNetwork with {@code sandbox}: network through a managed proxy only
 * @param managedNetwork facts for that, not looked into here
 * @param networkProxy a proxy to start for this process, not looked into here
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
     * What is left to remember when the program runs: not its environment, and nothing that holds on to the message that
     * the params came in.
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
                options);
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
