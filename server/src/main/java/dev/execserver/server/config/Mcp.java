package dev.execserver.server.config;

import static java.util.Objects.requireNonNull;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * Settings of the MCP server, whose tools run shell commands.
 *
 * @param http true to serve MCP clients at {@code /mcp} of a WebSocket listener
 * @param shell program that runs commands; empty for Bash, or sh where there is none
 * @param profile permission profile, as text or in a file, of clients that send no policy
 * @param rules files, and folders of files, with rules for programs
 * @param sessionTtl time that a session over HTTP outlives its last request
 */
public record Mcp(boolean http, Optional<Path> shell, Optional<String> profile, List<Path> rules, Duration sessionTtl) {
    static final boolean DEFAULT_HTTP = false;
    static final Duration DEFAULT_SESSION_TTL = Duration.ofMinutes(30);

    public static final Mcp DEFAULTS =
            new Mcp(DEFAULT_HTTP, Optional.empty(), Optional.empty(), List.of(), DEFAULT_SESSION_TTL);

    public Mcp {
        shell = requireNonNull(shell, "shell").map(Path::toAbsolutePath);
        requireNonNull(profile, "profile");
        requireNonNull(sessionTtl, "sessionTtl");
        rules = rules.stream().map(Path::toAbsolutePath).toList();
    }
}
