package dev.execserver.server.transport.origin;

import java.util.Optional;

/**
 * Path below which this server lives on a host that it shares.
 *
 * @param prefix begins with a slash and does not end with one; empty if the server has the whole host
 */
public record BasePath(String prefix) {
    public static final BasePath ROOT = new BasePath("");

    public BasePath {
        if (!prefix.isEmpty() && (!prefix.startsWith("/") || prefix.endsWith("/"))) {
            throw new IllegalArgumentException("a base path begins with a slash and does not end with one: " + prefix);
        }
    }

    /** Returns the path without the prefix; empty if the path is not below it. */
    public Optional<String> below(String path) {
        if (prefix.isEmpty()) {
            return Optional.of(path);
        }
        if (path.equals(prefix)) {
            return Optional.of("/");
        }
        return path.startsWith(prefix + "/") ? Optional.of(path.substring(prefix.length())) : Optional.empty();
    }
}
