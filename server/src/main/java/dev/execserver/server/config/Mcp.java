package dev.execserver.server.config;

import static java.util.Objects.requireNonNull;

import dev.execserver.cli.local.LocalFile;
import dev.execserver.cli.local.ProfileArgument;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * Settings of the MCP server, whose tools run shell commands.
 *
 * @param http true to serve MCP clients at {@code /mcp} of a WebSocket listener
 * @param shell program that runs commands; empty for Bash, or sh where there is none
 * @param wrapper program that the shell runs in the place of each other one, and that asks this server about it
 * @param profile permission profile, as text or in a file, of clients that send no policy
 * @param rules files, and folders of files, with rules for programs
 * @param missingRules places where the next server would find more rules
 * @param wholePaths true to find the rules by whole paths alone
 * @param form of results and refusals
 * @param sessionTtl time that a session over HTTP outlives its last request
 */
public record Mcp(
        boolean http,
        Optional<Path> shell,
        Optional<Path> wrapper,
        Optional<String> profile,
        List<Path> rules,
        List<Path> missingRules,
        boolean wholePaths,
        McpForm form,
        Duration sessionTtl) {
    static final boolean DEFAULT_HTTP = false;
    static final Duration DEFAULT_SESSION_TTL = Duration.ofMinutes(30);

    public static final Mcp DEFAULTS = new Mcp(
            DEFAULT_HTTP,
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            List.of(),
            List.of(),
            false,
            McpForm.DEFAULT,
            DEFAULT_SESSION_TTL);

    public Mcp {
        shell = requireNonNull(shell, "shell").map(Path::toAbsolutePath);
        wrapper = requireNonNull(wrapper, "wrapper").map(Path::toAbsolutePath);
        requireNonNull(profile, "profile");
        requireNonNull(sessionTtl, "sessionTtl");
        rules = rules.stream().map(Path::toAbsolutePath).toList();
        missingRules = missingRules.stream().map(Path::toAbsolutePath).toList();
    }

    /** Returns the same settings with this shell and these places of rules. */
    public Mcp with(Optional<Path> otherShell, List<Path> otherRules, List<Path> missing) {
        return new Mcp(http, otherShell, wrapper, profile, otherRules, missing, wholePaths, form, sessionTtl);
    }

    /** Returns the file of the profile; empty if it is text or a name, or there is none. */
    public Optional<Path> profileFile() {
        return profile.filter(ProfileArgument::isFile).map(LocalFile::of).map(Path::toAbsolutePath);
    }
}
