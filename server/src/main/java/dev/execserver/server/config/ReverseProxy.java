package dev.execserver.server.config;

import java.util.List;

/**
 * Settings for HTTP proxies before this server.
 *
 * @param basePath path below which the server answers, without a slash at its end; empty for the whole host
 * @param trusted addresses of proxies whose header is believed
 * @param header that the trusted proxies write
 */
public record ReverseProxy(String basePath, List<AddressRange> trusted, Header header) {
    /** Header with the addresses of clients. */
    public enum Header {
        X_FORWARDED_FOR,
        FORWARDED
    }

    public static final Header DEFAULT_HEADER = Header.X_FORWARDED_FOR;
    public static final ReverseProxy DEFAULTS = new ReverseProxy("", List.of(), DEFAULT_HEADER);

    public ReverseProxy {
        trusted = List.copyOf(trusted);
    }
}
