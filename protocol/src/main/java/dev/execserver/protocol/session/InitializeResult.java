package dev.execserver.protocol.session;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.execserver.protocol.environment.EnvironmentInfo;
import dev.execserver.protocol.rpc.Dialect;
import dev.execserver.protocol.rpc.JsonFields;
import dev.execserver.protocol.rpc.JsonSlice;
import dev.execserver.protocol.rpc.JsonWritable;
import dev.execserver.protocol.rpc.ParamsReader;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * Result of {@code initialize}.
 *
 * @param sessionId an id that cannot be guessed
 * @param environmentInfo absent from servers of older releases
 * @param features names of the additions to the protocol that this server supports; written only when there are any
 * @param sessionTtlMs addition, only on request: lifetime of the session after its connection ends, in milliseconds
 */
public record InitializeResult(
        String sessionId, Optional<EnvironmentInfo> environmentInfo, List<String> features, OptionalLong sessionTtlMs)
        implements JsonWritable {

    /** Makes a result without a time to live. */
    public InitializeResult(String sessionId, Optional<EnvironmentInfo> environmentInfo, List<String> features) {
        this(sessionId, environmentInfo, features, OptionalLong.empty());
    }

    public InitializeResult {
        features = List.copyOf(features);
    }

    /** Errors are those of {@link ParamsReader}. */
    public static InitializeResult read(JsonSlice result, Dialect dialect) {
        ParamsReader in = ParamsReader.of(result, "InitializeResponse");
        String sessionId = null;
        Optional<EnvironmentInfo> info = Optional.empty();
        List<String> features = List.of();
        OptionalLong ttl = OptionalLong.empty();
        while (in.next()) {
            switch (in.name()) {
                case "sessionId" -> sessionId = in.string();
                case "environmentInfo" ->
                    info = in.structOrNull("EnvironmentInfo", inner -> EnvironmentInfo.read(inner, dialect));
                case "sessionTtlMs" -> ttl = in.u64OrNull();
                case "features" -> features = in.stringsOrNull().orElse(List.of());
                default -> {}
            }
        }
        return new InitializeResult(in.required("sessionId", sessionId), info, features, ttl);
    }

    @Override
    public void writeTo(JsonGenerator g) throws IOException {
        g.writeStartObject();
        g.writeStringField("sessionId", sessionId);
        if (environmentInfo.isPresent()) {
            JsonFields.valueOrNull(g, "environmentInfo", environmentInfo);
        }
        if (!features.isEmpty()) {
            JsonFields.strings(g, "features", features);
        }
        JsonFields.ifPresent(g, "sessionTtlMs", sessionTtlMs);
        g.writeEndObject();
    }
}
