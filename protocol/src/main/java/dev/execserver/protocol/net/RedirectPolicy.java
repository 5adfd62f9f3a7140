package dev.execserver.protocol.net;

import dev.execserver.protocol.rpc.ParamsReader;
import java.util.Locale;

/** Treatment of HTTP redirects. */
public enum RedirectPolicy {
    FOLLOW,
    STOP;

    /** Returns the name on the wire. */
    public String wire() {
        return name().toLowerCase(Locale.ROOT);
    }

    static RedirectPolicy parse(String text) {
        return switch (text) {
            case "follow" -> FOLLOW;
            case "stop" -> STOP;
            default -> throw ParamsReader.unknownVariant(text, "`follow` or `stop`");
        };
    }
}
