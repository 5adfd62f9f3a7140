package dev.execserver.protocol.session;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.execserver.protocol.rpc.Dialect;
import dev.execserver.protocol.rpc.JsonFields;
import dev.execserver.protocol.rpc.JsonSlice;
import dev.execserver.protocol.rpc.JsonWritable;
import dev.execserver.protocol.rpc.ParamsReader;
import java.io.IOException;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * Params of {@code initialize}, the first request of a connection.
 *
 * @param clientName free text
 * @param resumeSessionId session to resume; absent begins a new one. The empty string is an id like any other
 * @param takeover addition, read in the open dialect: true takes the session even from a live connection
 * @param sessionTtlMs addition, read in the open dialect: requested lifetime of the session after its connection ends,
 *     in milliseconds; the server limits it to its maximum and answers with the granted time
 * @param sessionName addition, read in the open dialect: name of the session for people, of at most 100 visible characters; it need not be
 *     unique
 */
public record InitializeParams(
        String clientName,
        Optional<String> resumeSessionId,
        boolean takeover,
        OptionalLong sessionTtlMs,
        Optional<String> sessionName)
        implements JsonWritable {

    /** Makes params without the additions. */
    public InitializeParams(String clientName, Optional<String> resumeSessionId) {
        this(clientName, resumeSessionId, false, OptionalLong.empty(), Optional.empty());
    }

    /** Errors are those of {@link ParamsReader}. */
    public static InitializeParams read(JsonSlice params, Dialect dialect) {
        ParamsReader in = ParamsReader.of(params, "InitializeParams");
        String clientName = null;
        Optional<String> resumeSessionId = Optional.empty();
        boolean takeover = false;
        OptionalLong sessionTtlMs = OptionalLong.empty();
        Optional<String> sessionName = Optional.empty();
        while (in.next()) {
            switch (in.name()) {
                case "clientName" -> clientName = in.string();
                case "resumeSessionId" -> resumeSessionId = in.stringOrNull();
                case "takeover" -> takeover = dialect.open() && in.boolOrNull().orElse(false);
                case "sessionTtlMs" -> sessionTtlMs = dialect.open() ? in.u64OrNull() : sessionTtlMs;
                case "sessionName" -> sessionName = dialect.open() ? in.stringOrNull() : sessionName;
                default -> {}
            }
        }
        return new InitializeParams(
                in.required("clientName", clientName), resumeSessionId, takeover, sessionTtlMs, sessionName);
    }

    @Override
    public void writeTo(JsonGenerator g) throws IOException {
        g.writeStartObject();
        g.writeStringField("clientName", clientName);
        JsonFields.orNull(g, "resumeSessionId", resumeSessionId);
        if (takeover) {
            g.writeBooleanField("takeover", true);
        }
        JsonFields.ifPresent(g, "sessionTtlMs", sessionTtlMs);
        JsonFields.ifPresent(g, "sessionName", sessionName);
        g.writeEndObject();
    }
}
