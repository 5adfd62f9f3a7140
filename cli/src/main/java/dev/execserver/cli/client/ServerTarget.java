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
 * @param tokenCommand command that writes the token, instead of one that is known
 * @param program path of the server that is started for this command; see {@link ProgramUrl}
 * @param caFile certificates of the trusted authorities; empty for those of Java
 * @param session id of an existing session; empty to begin one
 * @param takeover true to take the session from a client that is alive
 * @param sessionTtl time for which the session should outlive its connection; empty for the default of the server
 * @param name of the session for people
 */
record ServerTarget(
        String url,
        Optional<String> token,
        Optional<String> tokenCommand,
        Optional<String> program,
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
        Settings settings = settings(arguments, environment);
        String url = settings.value(ClientOption.URL)
                .orElseThrow(() -> ConfigException.usage(
                        "no server is named; give --url ws://HOST:PORT, set %s or name one in ~/.config/exec-server/config"
                                .formatted(URL_VARIABLE)));
        return new ServerTarget(
                url,
                settings.value(ClientOption.TOKEN_FILE).map(ServerTarget::readToken),
                settings.value(ClientOption.TOKEN_COMMAND),
                settings.value(ClientOption.SERVER_PROGRAM),
                settings.value(ClientOption.CA_FILE).map(LocalFile::of),
                arguments.value(ClientOption.SESSION),
                arguments.has(ClientOption.TAKEOVER),
                arguments.time(ClientOption.SESSION_TTL),
                arguments.value(ClientOption.NAME));
    }

    /** Returns warnings about the files of the token and of the authorities: other users who can read or change them. */
    static List<String> warnings(Arguments arguments, Map<String, String> environment) {
        Settings settings = settings(arguments, environment);
        List<String> found = new ArrayList<>();
        settings.value(ClientOption.TOKEN_FILE)
                .ifPresent(file ->
                        found.addAll(SecretPermissions.warnings("--token-file", LocalFile.of(file), Content.SECRET)));
        settings.value(ClientOption.CA_FILE)
                .map(LocalFile::of)
                .ifPresent(file -> found.addAll(SecretPermissions.warnings("--ca-file", file, Content.SETTINGS)));
        return found;
    }

    /** Finds the value of an option that belongs to the server. */
    @FunctionalInterface
    private interface Settings {
        Optional<String> value(ClientOption option);
    }

    /**
     * Chooses where the server is described. A place that names the URL names the credential too, so that no token goes to a server for
     * which it was not meant: options and variables, or else a section of the file.
     */
    private static Settings settings(Arguments arguments, Map<String, String> environment) {
        if (arguments.has(ClientOption.TOKEN_FILE) && arguments.has(ClientOption.TOKEN_COMMAND)) {
            throw ConfigException.usage("--token-file and --token-command exclude each other");
        }
        Optional<String> name = arguments.value(ClientOption.SERVER);
        if (name.isPresent() && arguments.has(ClientOption.URL)) {
            throw ConfigException.usage("--server and --url exclude each other");
        }
        Settings given = option -> arguments.value(option);
        Settings byHand = option -> given.value(option).or(() -> ofEnvironment(option, arguments, environment));
        if (name.isEmpty() && byHand.value(ClientOption.URL).isPresent()) {
            return byHand;
        }
        ServerFile file = ServerFile.read(environment);
        Optional<Map<String, String>> section = name.isPresent() ? name.map(file::server) : file.standard();
        return section.map(values -> ofSection(given, values)).orElse(byHand);
    }

    /** Returns the settings of the section, over which the options of the command line go; another credential replaces the section's. */
    private static Settings ofSection(Settings given, Map<String, String> section) {
        boolean credential = given.value(ClientOption.TOKEN_FILE)
                .or(() -> given.value(ClientOption.TOKEN_COMMAND))
                .isPresent();
        return option -> given.value(option)
                .or(() -> credential && isCredential(option)
                        ? Optional.empty()
                        : Optional.ofNullable(section.get(option.longName().substring(2))));
    }

    private static Optional<String> ofEnvironment(
            ClientOption option, Arguments arguments, Map<String, String> environment) {
        return switch (option) {
            case URL -> variable(environment, URL_VARIABLE);
            case TOKEN_FILE ->
                arguments.has(ClientOption.TOKEN_COMMAND)
                        ? Optional.empty()
                        : variable(environment, TOKEN_FILE_VARIABLE);
            case CA_FILE -> variable(environment, CA_FILE_VARIABLE);
            default -> Optional.empty();
        };
    }

    private static boolean isCredential(ClientOption option) {
        return option == ClientOption.TOKEN_FILE || option == ClientOption.TOKEN_COMMAND;
    }

    /** Returns true if the server is started for this command, and ends with it. */
    boolean endsWithCommand() {
        return ProgramUrl.is(url);
    }

    ServerTarget withTakeover() {
        return new ServerTarget(url, token, tokenCommand, program, caFile, session, true, sessionTtl, name);
    }

    /** Returns the same target with a session that lives as long as the server allows, unless a time was given. */
    ServerTarget withLongSession() {
        return sessionTtl.isPresent()
                ? this
                : new ServerTarget(
                        url, token, tokenCommand, program, caFile, session, takeover, Optional.of(LONGEST), name);
    }

    /** Returns the same target with this session instead. */
    ServerTarget with(Optional<String> other) {
        return new ServerTarget(url, token, tokenCommand, program, caFile, other, takeover, sessionTtl, name);
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
