package dev.execserver.protocol.net;

import dev.execserver.protocol.rpc.ParamsReader;
import java.util.Locale;

/** What becomes of an answer that points elsewhere. */
public enum RedirectPolicy {
    FOLLOW,
    STOP;

    /** The name on the wire. */
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
