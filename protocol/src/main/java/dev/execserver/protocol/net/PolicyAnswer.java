package dev.execserver.protocol.net;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.execserver.protocol.rpc.Dialect;
import dev.execserver.protocol.rpc.JsonSlice;
import dev.execserver.protocol.rpc.JsonWritable;
import dev.execserver.protocol.rpc.ParamsReader;
import java.io.IOException;

/** The client's answer to {@code network/policyRequest}. */
public sealed interface PolicyAnswer extends JsonWritable {

    /** Allows the connection. */
    record Allow() implements PolicyAnswer {}

    /** Refuses the connection. */
    record Deny(String reason) implements PolicyAnswer {}

    /** Refuses the connection until a user was asked. */
    record Ask(String reason) implements PolicyAnswer {}

    /** Errors are those of {@link ParamsReader}. */
    static PolicyAnswer read(JsonSlice result, Dialect dialect) {
        ParamsReader in = ParamsReader.of(result, "NetworkPolicyResponse");
        PolicyAnswer decision = null;
        while (in.next()) {
            if (in.name().equals("decision")) {
                decision = in.struct("NetworkPolicyDecision", PolicyAnswer::decision);
            }
        }
        return in.required("decision", decision);
    }

    private static PolicyAnswer decision(ParamsReader in) {
        String type = null;
        String reason = null;
        while (in.next()) {
            switch (in.name()) {
                case "type" -> type = in.string();
                case "reason" -> reason = in.stringOrNull().orElse(null);
                default -> {}
            }
        }
        return switch (in.required("type", type)) {
            case "allow" -> new Allow();
            case "deny" -> new Deny(in.required("reason", reason));
            case "ask" -> new Ask(in.required("reason", reason));
            default -> throw ParamsReader.unknownVariant(type, "one of `allow`, `deny`, `ask`");
        };
    }

    @Override
    default void writeTo(JsonGenerator g) throws IOException {
        g.writeStartObject();
        g.writeObjectFieldStart("decision");
        switch (this) {
            case Allow() -> g.writeStringField("type", "allow");
            case Deny(String reason) -> {
                g.writeStringField("type", "deny");
                g.writeStringField("reason", reason);
            }
            case Ask(String reason) -> {
                g.writeStringField("type", "ask");
                g.writeStringField("reason", reason);
            }
        }
        g.writeEndObject();
        g.writeEndObject();
    }
}
