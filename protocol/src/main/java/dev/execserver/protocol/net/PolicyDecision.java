package dev.execserver.protocol.net;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.execserver.protocol.rpc.Dialect;
import dev.execserver.protocol.rpc.JsonFields;
import dev.execserver.protocol.rpc.JsonSlice;
import dev.execserver.protocol.rpc.JsonWritable;
import dev.execserver.protocol.rpc.ParamsReader;
import java.io.IOException;
import java.util.Optional;

/**
 * Params of the notification {@code network/policyDecision}: the decision of a proxy about one connection.
 *
 * @param timestamp RFC 3339, UTC, with milliseconds
 * @param scope {@code domain} or {@code non_domain}
 * @param decision {@code allow}, {@code deny} or {@code ask}
 * @param source {@code baseline_policy}, {@code mode_guard}, {@code proxy_state} or {@code decider}, which is the
 *     client
 * @param method of an HTTP request
 * @param client the program that asked the proxy
 * @param policyOverride true if the client allowed a host that the lists do not allow
 */
public record PolicyDecision(
        String processId,
        String timestamp,
        String scope,
        String decision,
        String source,
        String reason,
        NetworkProtocol protocol,
        String host,
        int port,
        Optional<String> method,
        Optional<String> client,
        boolean policyOverride)
        implements JsonWritable {

    /** Errors are those of {@link ParamsReader}. */
    public static PolicyDecision read(JsonSlice params, Dialect dialect) {
        return PolicyDecisionReader.read(params);
    }

    @Override
    public void writeTo(JsonGenerator g) throws IOException {
        g.writeStartObject();
        g.writeStringField("processId", processId);
        g.writeStringField("timestamp", timestamp);
        g.writeStringField("scope", scope);
        g.writeStringField("decision", decision);
        g.writeStringField("source", source);
        g.writeStringField("reason", reason);
        g.writeStringField("protocol", protocol.wire());
        g.writeStringField("host", host);
        g.writeNumberField("port", port);
        JsonFields.ifPresent(g, "method", method);
        JsonFields.ifPresent(g, "client", client);
        g.writeBooleanField("policyOverride", policyOverride);
        g.writeEndObject();
    }
}
