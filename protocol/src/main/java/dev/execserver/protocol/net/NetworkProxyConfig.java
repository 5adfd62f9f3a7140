package dev.execserver.protocol.net;

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
 * Member {@code networkProxy} of {@code process/start}: a proxy that the server runs for that process.
 *
 * @param auditMetadata object that tells on whose behalf the process runs; its strings are logged with every connection
 * @param policyDecisionTimeoutMs if present, the client is asked about hosts that the lists do not decide; a question
 *     without an answer in this time counts as denied
 */
public record NetworkProxyConfig(
        NetworkProxySettings proxy,
        Optional<JsonSlice> auditMetadata,
        Optional<String> environmentId,
        Optional<String> executionId,
        OptionalLong policyDecisionTimeoutMs)
        implements JsonWritable {

    /** Makes a configuration without questions to the client. */
    public static NetworkProxyConfig of(NetworkProxySettings proxy) {
        return new NetworkProxyConfig(
                proxy, Optional.empty(), Optional.empty(), Optional.empty(), OptionalLong.empty());
    }

    /** Errors are those of {@link ParamsReader}. */
    public static NetworkProxyConfig read(JsonSlice value, Dialect dialect) {
        ParamsReader in = ParamsReader.of(value, "NetworkProxyLaunchConfig");
        NetworkProxySettings proxy = null;
        Optional<JsonSlice> auditMetadata = Optional.empty();
        Optional<String> environmentId = Optional.empty();
        Optional<String> executionId = Optional.empty();
        OptionalLong timeoutMs = OptionalLong.empty();
        while (in.next()) {
            switch (in.name()) {
                case "proxy" -> proxy = in.struct("NetworkProxyConfig", NetworkProxySettingsReader::read);
                case "auditMetadata" -> auditMetadata = in.sliceOrNull();
                case "environmentId" -> environmentId = in.stringOrNull();
                case "executionId" -> executionId = in.stringOrNull();
                case "policyDecisionTimeoutMs" -> timeoutMs = in.u64OrNull();
                default -> {}
            }
        }
        if (proxy != null && proxy.mode() == ProxyMode.OBSERVE && !dialect.open()) {
            throw ParamsReader.unknownVariant(proxy.mode().wire(), "`limited` or `full`");
        }
        return new NetworkProxyConfig(
                in.required("proxy", proxy), auditMetadata, environmentId, executionId, timeoutMs);
    }

    @Override
    public void writeTo(JsonGenerator g) throws IOException {
        g.writeStartObject();
        g.writeFieldName("proxy");
        proxy.writeTo(g);
        JsonFields.sliceOrNull(g, "auditMetadata", auditMetadata);
        JsonFields.orNull(g, "environmentId", environmentId);
        JsonFields.orNull(g, "executionId", executionId);
        JsonFields.orNull(g, "policyDecisionTimeoutMs", policyDecisionTimeoutMs);
        g.writeEndObject();
    }
}
