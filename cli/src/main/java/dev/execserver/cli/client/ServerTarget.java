package dev.execserver.cli.client;

import dev.execserver.cli.local.ConfigException;
import dev.execserver.cli.local.FileErrors;
import dev.execserver.cli.local.LocalFile;
import dev.execserver.cli.secret.SecretFile;
import dev.execserver.cli.secret.SecretPermissions;
import dev.execserver.cli.secret.SecretPermissions.Content;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Server, and session on it, that a command connects to.
 *
 * @param caFile certificates of the trusted authorities; empty for those of Java
 * @param session id of an existing session; empty to begin one
 * @param takeover true to take the session from a client that is alive
 * @param sessionTtl time for which the session should outlive its connection; empty for the default of the server
 * @param name of the session for people
 */
record ServerTarget(
        String url,
        Optional<String> token,
        Optional<Path> caFile,
        Optional<String> session,
        boolean takeover,
        Optional<Duration> sessionTtl,
        Optional<String> name) {
    /** Longer than any server allows. */
    private static final Duration LONGEST = Duration.ofDays(365);

    private static final String URL_VARIABLE = "EXEC_SERVER_URL";
    private static final String CA_FILE_VARIABLE = "EXEC_SERVER_CA_FILE";
    private static final String TOKEN_FILE_VARIABLE = "EXEC_SERVER_TOKEN_FILE";

    /** @throws ConfigException when no server is named or the token cannot be read */
    static ServerTarget of(Arguments arguments, Map<String, String> environment) {
        String url = arguments
                .value(ClientOption.URL)
                .or(() -> variable(environment, URL_VARIABLE))
                .orElseThrow(() ->
                        ConfigException.usage("no server is named; give --url ws://HOST:PORT or set " + URL_VARIABLE));
        Optional<String> token = tokenFile(arguments, environment).map(ServerTarget::readToken);
        return new ServerTarget(
                url,
                token,
                caFile(arguments, environment),
                arguments.value(ClientOption.SESSION),
                arguments.has(ClientOption.TAKEOVER),
                arguments.time(ClientOption.SESSION_TTL),
                arguments.value(ClientOption.NAME));
    }

    /** Returns warnings about the files of the token and of the authorities: other users who can read or change them. */
    static List<String> warnings(Arguments arguments, Map<String, String> environment) {
        List<String> found = new ArrayList<>();
        tokenFile(arguments, environment)
                .ifPresent(file ->
                        found.addAll(SecretPermissions.warnings("--token-file", LocalFile.of(file), Content.SECRET)));
        caFile(arguments, environment)
                .ifPresent(file -> found.addAll(SecretPermissions.warnings("--ca-file", file, Content.SETTINGS)));
        return found;
    }

    private static Optional<Path> caFile(Arguments arguments, Map<String, String> environment) {
        return arguments
                .value(ClientOption.CA_FILE)
                .or(() -> variable(environment, CA_FILE_VARIABLE))
                .map(LocalFile::of);
    }

    private static Optional<String> tokenFile(Arguments arguments, Map<String, String> environment) {
        return arguments.value(ClientOption.TOKEN_FILE).or(() -> variable(environment, TOKEN_FILE_VARIABLE));
    }

    ServerTarget withTakeover() {
        return new ServerTarget(url, token, caFile, session, true, sessionTtl, name);
    }

    /** Returns the same target with a session that lives as long as the server allows, unless a time was given. */
    ServerTarget withLongSession() {
        return sessionTtl.isPresent()
                ? this
                : new ServerTarget(url, token, caFile, session, takeover, Optional.of(LONGEST), name);
    }

    /** Returns the same target with this session instead. */
    ServerTarget with(Optional<String> other) {
        return new ServerTarget(url, token, caFile, other, takeover, sessionTtl, name);
    }

    private static Optional<String> variable(Map<String, String> environment, String name) {
        return Optional.ofNullable(environment.get(name)).filter(value -> !value.isEmpty());
    }

    private static String readToken(String file) {
        try {
            SecretFile secret = SecretFile.read(LocalFile.of(file));
            secret.notAToken().ifPresent(why -> {
                throw ConfigException.failure(
                        "the token file %s %s; --token-file or %s names it".formatted(file, why, TOKEN_FILE_VARIABLE));
            });
            String token = secret.token();
            if (token.contains(" ")) {
                throw ConfigException.failure("the token in the file %s has a blank inside; --token-file or %s names it"
                        .formatted(file, TOKEN_FILE_VARIABLE));
            }
            return token;
        } catch (IOException e) {
            throw ConfigException.failure("the token file %s cannot be read: %s; --token-file or %s names it"
                    .formatted(file, FileErrors.text(e), TOKEN_FILE_VARIABLE));
        }
    }
}
