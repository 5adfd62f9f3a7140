package dev.execserver.protocol.net;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.execserver.protocol.rpc.Dialect;
import dev.execserver.protocol.rpc.JsonSlice;
import dev.execserver.protocol.rpc.JsonWritable;
import dev.execserver.protocol.rpc.ParamsReader;
import java.io.IOException;

/**
 * Params of the server's request {@code network/policyRequest}: a process wants to connect to a host for which its
 * lists have no rule.
 *
 * @param host lower case, without brackets
 */
public record PolicyRequest(String processId, NetworkProtocol protocol, String host, int port) implements JsonWritable {

    private record Wanted(NetworkProtocol protocol, String host, int port) {}

    /** Errors are those of {@link ParamsReader}. */
    public static PolicyRequest read(JsonSlice params, Dialect dialect) {
        ParamsReader in = ParamsReader.of(params, "NetworkPolicyRequestParams");
        String processId = null;
        Wanted wanted = null;
        while (in.next()) {
            switch (in.name()) {
                case "processId" -> processId = in.string();
                case "request" -> wanted = in.struct("NetworkPolicyRequest", PolicyRequest::wanted);
                default -> {}
            }
        }
        Wanted request = in.required("request", wanted);
        return new PolicyRequest(
                in.required("processId", processId), request.protocol(), request.host(), request.port());
    }

    private static Wanted wanted(ParamsReader in) {
        NetworkProtocol protocol = null;
        String host = null;
        Integer port = null;
        while (in.next()) {
            switch (in.name()) {
                case "protocol" -> protocol = NetworkProtocol.parse(in.string());
                case "host" -> host = in.string();
                case "port" -> port = in.integer(0, 65_535, "u16");
                default -> {}
            }
        }
        return new Wanted(in.required("protocol", protocol), in.required("host", host), in.required("port", port));
    }

    @Override
    public void writeTo(JsonGenerator g) throws IOException {
        g.writeStartObject();
        g.writeStringField("processId", processId);
        g.writeObjectFieldStart("request");
        g.writeStringField("protocol", protocol.wire());
        g.writeStringField("host", host);
        g.writeNumberField("port", port);
        g.writeEndObject();
        g.writeEndObject();
    }
}
