package dev.execserver.protocol.net;

import dev.execserver.protocol.rpc.ParamsReader;
import java.util.Locale;

/** Restriction of the connections that the lists of a proxy allow. */
public enum ProxyMode {
    /** Lets all of them through. */
    FULL,
    /** Lets only plain HTTP requests through that only read. */
    LIMITED;

    /** Returns the name on the wire. */
    public String wire() {
        return name().toLowerCase(Locale.ROOT);
    }

    static ProxyMode parse(String text) {
        return switch (text) {
            case "full" -> FULL;
            case "limited" -> LIMITED;
            default -> throw ParamsReader.unknownVariant(text, "`limited` or `full`");
        };
    }
}
