package dev.execserver.protocol.net;

import dev.execserver.protocol.rpc.ParamsReader;
import java.util.Locale;

/** Rule of a proxy for hosts that match a pattern. */
public enum DomainRule {
    ALLOW,
    DENY,
    /** Has the same effect as a missing pattern. */
    NONE;

    /** Returns the name on the wire. */
    public String wire() {
        return name().toLowerCase(Locale.ROOT);
    }

    public static DomainRule parse(String text) {
        return switch (text) {
            case "allow" -> ALLOW;
            case "deny" -> DENY;
            case "none" -> NONE;
            default -> throw ParamsReader.unknownVariant(text, "one of `none`, `allow`, `deny`");
        };
    }
}
