package dev.execserver.protocol.permissions;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.execserver.protocol.rpc.ParamsReader;
import java.io.IOException;
import java.util.Optional;

/** Permission of a command to use the network. */
public enum NetworkPolicy {
    RESTRICTED("restricted"),
    ENABLED("enabled");

    private final String wire;

    NetworkPolicy(String wire) {
        this.wire = wire;
    }

    public String wire() {
        return wire;
    }

    public boolean enabled() {
        return this == ENABLED;
    }

    public static NetworkPolicy of(boolean enabled) {
        return enabled ? ENABLED : RESTRICTED;
    }

    /** Reads either spelling: {@code "enabled"} or {@code {"enabled":true}}. Empty for null. */
    static Optional<NetworkPolicy> readOrNull(ParamsReader in) {
        return in.stringOrStructOrNull(NetworkPolicy::parse, "NetworkPermissions", NetworkPolicy::readMembers);
    }

    static NetworkPolicy parse(String text) {
        return switch (text) {
            case "restricted" -> RESTRICTED;
            case "enabled" -> ENABLED;
            default -> throw ParamsReader.unknownVariant(text, "`restricted` or `enabled`");
        };
    }

    private static NetworkPolicy readMembers(ParamsReader in) {
        Boolean enabled = null;
        while (in.next()) {
            if (in.name().equals("enabled")) {
                enabled = in.bool();
            }
        }
        return of(in.required("enabled", enabled));
    }

    void write(JsonGenerator g, ProfileFormat spelling) throws IOException {
        if (spelling == ProfileFormat.APP) {
            g.writeStartObject();
            g.writeBooleanField("enabled", enabled());
            g.writeEndObject();
        } else {
            g.writeString(wire);
        }
    }
}
