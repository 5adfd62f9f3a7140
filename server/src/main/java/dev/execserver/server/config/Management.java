package dev.execserver.server.config;

import static java.util.Objects.requireNonNull;

import dev.execserver.cli.local.ConfigException;
import java.util.Optional;

/**
 * Settings for what operators see of a running server.
 *
 * @param metrics true to count and serve {@code /metrics}
 * @param listen address of health, metrics and, on a Unix socket, administration; empty if there is none
 */
public record Management(boolean metrics, Optional<ListenUrl> listen) {
    public static final boolean DEFAULT_METRICS = false;
    public static final Management DEFAULTS = new Management(DEFAULT_METRICS, Optional.empty());

    public Management {
        requireNonNull(listen, "listen");
    }

    /**
     * Reads {@code http://IP:PORT} or {@code unix:PATH}.
     *
     * @throws ConfigException for anything else
     */
    static ListenUrl parse(String url) {
        String scheme = "http://";
        if (!url.startsWith(scheme) && !url.startsWith(ListenUrl.Unix.SCHEME)) {
            throw ConfigException.usage(
                    "invalid --management-listen `%s`; expected `http://IP:PORT` or `unix:PATH`".formatted(url));
        }
        return ListenUrl.parse(url.startsWith(scheme) ? "ws://" + url.substring(scheme.length()) : url);
    }
}
