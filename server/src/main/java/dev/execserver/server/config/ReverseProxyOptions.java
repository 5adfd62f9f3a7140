package dev.execserver.server.config;

import static dev.execserver.server.config.OptionRegister.define;

import dev.execserver.cli.local.ConfigException;
import dev.execserver.server.config.ReverseProxy.Header;
import java.util.List;
import java.util.regex.Pattern;

/** Options for HTTP proxies before this server, for {@link Options}, and their meaning. */
final class ReverseProxyOptions {
    static final Option<String> BASE_PATH = define(
            "base-path",
            new ValueType.Text(),
            "PATH",
            "/",
            "Path below which everything is served, as in `/exec`; health checks are also answered at the root.");
    static final Option<List<String>> TRUSTED_PROXIES = define(
            "trusted-proxies",
            new ValueType.Names("addresses or ranges such as 10.0.0.0/8", AddressRange.FORM),
            "ADDRESS,...",
            List.of(),
            "Proxies, by address or range, whose header with the client's address is believed in logs.");
    static final Option<Header> FORWARDED_HEADER = define(
            "forwarded-header",
            ValueType.Choice.of(Header.class),
            "NAME",
            ReverseProxy.DEFAULT_HEADER,
            "The header that the trusted proxies write: `x-forwarded-for` or `forwarded` (RFC 7239); the other one is ignored.");

    /** Segments of unreserved characters, which no proxy changes (RFC 3986 section 2.3), and no dots alone. */
    private static final Pattern PATH = Pattern.compile("(/(?!\\.{1,2}(?:/|$))[A-Za-z0-9._~-]+)*/?");

    private ReverseProxyOptions() {}

    static ReverseProxy assemble(Settings settings) {
        return new ReverseProxy(
                basePath(settings.value(BASE_PATH), settings),
                settings.value(TRUSTED_PROXIES).stream()
                        .map(ReverseProxyOptions::range)
                        .toList(),
                settings.value(FORWARDED_HEADER));
    }

    private static String basePath(String path, Settings settings) {
        if (!PATH.matcher(path).matches()) {
            throw ConfigException.usage("--base-path, %s, must be a path such as /exec of letters, digits and ._~-"
                    .formatted(settings.describe(BASE_PATH)));
        }
        return path.endsWith("/") ? path.substring(0, path.length() - 1) : path;
    }

    private static AddressRange range(String text) {
        return AddressRange.parse(text)
                .orElseThrow(() -> ConfigException.usage(
                        "`%s` in --trusted-proxies is no address and no range such as 10.0.0.0/8".formatted(text)));
    }
}
