package dev.execserver.protocol.net;

import dev.execserver.protocol.rpc.ParamsReader;
import java.util.Locale;

/** Restriction of the connections that the lists of a proxy allow. */
public enum ProxyMode {
    /** Lets all of them through. */
    FULL,
    /** Lets only plain HTTP requests through that only read. */
    LIMITED,
    /** Lets all hosts through that nothing denies, and records those that the lists do not allow. An addition. */
    OBSERVE;

    /** Returns the name on the wire. */
    public String wire() {
        return name().toLowerCase(Locale.ROOT);
    }

    public static ProxyMode parse(String text) {
        return switch (text) {
            case "full" -> FULL;
            case "limited" -> LIMITED;
            case "observe" -> OBSERVE;
            default -> throw ParamsReader.unknownVariant(text, "`limited` or `full`");
        };
    }
}
