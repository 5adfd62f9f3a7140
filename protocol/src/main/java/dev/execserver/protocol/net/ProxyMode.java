package dev.execserver.protocol.net;

import dev.execserver.protocol.rpc.ParamsReader;
import java.util.Locale;

/** What a proxy lets through of what its lists allow. */
public enum ProxyMode {
    /** Everything. */
    FULL,
    /** Plain HTTP requests that only read. */
    LIMITED;

    /** The name on the wire. */
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
