package dev.execserver.protocol.net;

import dev.execserver.protocol.rpc.ParamsReader;
import java.util.Locale;

/** Protocol in which a process asks its proxy for a connection to a host. */
public enum NetworkProtocol {
    /** A plain HTTP request. */
    HTTP,
    /** A tunnel, for any protocol inside it. */
    HTTPS_CONNECT,
    SOCKS5_TCP,
    SOCKS5_UDP;

    /** Returns the name on the wire. */
    public String wire() {
        return name().toLowerCase(Locale.ROOT);
    }

    static NetworkProtocol parse(String text) {
        return switch (text) {
            case "http" -> HTTP;
            case "https_connect" -> HTTPS_CONNECT;
            case "socks5_tcp" -> SOCKS5_TCP;
            case "socks5_udp" -> SOCKS5_UDP;
            default ->
                throw ParamsReader.unknownVariant(text, "one of `http`, `https_connect`, `socks5_tcp`, `socks5_udp`");
        };
    }
}
