package dev.execserver.protocol.net;

import dev.execserver.protocol.rpc.JsonSlice;
import dev.execserver.protocol.rpc.ParamsReader;
import java.util.Optional;

/** Collects the members of {@link PolicyDecision} in any order. */
final class PolicyDecisionReader {

    private String processId;
    private String timestamp;
    private String scope;
    private String decision;
    private String source;
    private String reason;
    private NetworkProtocol protocol;
    private String host;
    private Integer port;
    private Optional<String> method = Optional.empty();
    private Optional<String> client = Optional.empty();
    private boolean policyOverride;

    private PolicyDecisionReader() {}

    static PolicyDecision read(JsonSlice params) {
        ParamsReader in = ParamsReader.of(params, "NetworkPolicyDecisionNotification");
        PolicyDecisionReader members = new PolicyDecisionReader();
        while (in.next()) {
            members.take(in);
        }
        return members.build(in);
    }

    private void take(ParamsReader in) {
        switch (in.name()) {
            case "processId" -> processId = in.string();
            case "timestamp" -> timestamp = in.string();
            case "scope" -> scope = in.string();
            case "decision" -> decision = in.string();
            case "source" -> source = in.string();
            case "reason" -> reason = in.string();
            case "protocol" -> protocol = NetworkProtocol.parse(in.string());
            case "host" -> host = in.string();
            case "port" -> port = in.integer(0, 65_535, "u16");
            case "method" -> method = in.stringOrNull();
            case "client" -> client = in.stringOrNull();
            case "policyOverride" -> policyOverride = in.bool();
            default -> {}
        }
    }

    private PolicyDecision build(ParamsReader in) {
        return new PolicyDecision(
                in.required("processId", processId),
                in.required("timestamp", timestamp),
                in.required("scope", scope),
                in.required("decision", decision),
                in.required("source", source),
                in.required("reason", reason),
                in.required("protocol", protocol),
                in.required("host", host),
                in.required("port", port),
                method,
                client,
                policyOverride);
    }
}
