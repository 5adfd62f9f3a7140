package dev.execserver.protocol.net;

import dev.execserver.protocol.rpc.ParamsReader;
import java.util.Locale;

/** What the list of a proxy says about hosts that match a pattern. */
public enum DomainRule {
    ALLOW,
    DENY,
    /** As if the pattern were not there. */
    NONE;

    /** The name on the wire. */
    public String wire() {
        return name().toLowerCase(Locale.ROOT);
    }

    static DomainRule parse(String text) {
        return switch (text) {
            case "allow" -> ALLOW;
            case "deny" -> DENY;
            case "none" -> NONE;
            default -> throw ParamsReader.unknownVariant(text, "one of `none`, `allow`, `deny`");
        };
    }
}
