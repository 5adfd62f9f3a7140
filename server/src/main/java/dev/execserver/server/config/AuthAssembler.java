package dev.execserver.server.config;

import dev.execserver.cli.local.ConfigException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** Turns the {@code --ws-*} options into an {@link Auth}. Its messages are those that launchers know. */
final class AuthAssembler {
    private static final List<Option<?>> TOKEN_OPTIONS = List.of(Options.WS_TOKEN_FILE, Options.WS_TOKEN_SHA256);
    private static final List<Option<?>> JWT_OPTIONS = List.of(
            Options.WS_SHARED_SECRET_FILE, Options.WS_ISSUER, Options.WS_AUDIENCE, Options.WS_MAX_CLOCK_SKEW_SECONDS);

    private static final List<Option<?>> CLIENT_OPTIONS = List.of(Options.CLIENTS_FILE, Options.TLS_CLIENT_CA);

    private AuthAssembler() {}

    static Auth assemble(Settings settings) {
        return switch (settings.find(Options.WS_AUTH).orElse(null)) {
            case CAPABILITY_TOKEN -> capabilityToken(settings);
            case SIGNED_BEARER_TOKEN -> signedBearer(settings);
            case NAMED_CLIENTS -> namedClients(settings);
            case null -> none(settings);
        };
    }

    private static Auth none(Settings settings) {
        refuse(CLIENT_OPTIONS, "named-clients", settings);
        if (Stream.concat(TOKEN_OPTIONS.stream(), JWT_OPTIONS.stream()).anyMatch(settings::given)) {
            throw ConfigException.knownUsage(
                    "websocket auth flags require `--ws-auth capability-token` or `--ws-auth signed-bearer-token`");
        }
        return new Auth.None();
    }

    private static Auth capabilityToken(Settings settings) {
        refuse(JWT_OPTIONS, "signed-bearer-token", settings);
        refuse(CLIENT_OPTIONS, "named-clients", settings);
        Optional<Path> file = settings.find(Options.WS_TOKEN_FILE);
        Optional<String> digest = settings.find(Options.WS_TOKEN_SHA256);
        if (file.isPresent() && digest.isPresent()) {
            throw ConfigException.knownUsage("`--ws-token-file` and `--ws-token-sha256` are mutually exclusive");
        }
        if (digest.isPresent()) {
            try {
                return new Auth.TokenDigest(digest.get());
            } catch (IllegalArgumentException e) {
                throw ConfigException.knownUsage(e.getMessage());
            }
        }
        return file.<Auth>map(Auth.TokenFile::new)
                .orElseThrow(
                        () -> ConfigException.knownUsage("`--ws-token-file` or `--ws-token-sha256` is required when "
                                + "`--ws-auth capability-token` is set"));
    }

    private static Auth namedClients(Settings settings) {
        refuse(TOKEN_OPTIONS, "capability-token", settings);
        refuse(JWT_OPTIONS, "signed-bearer-token", settings);
        return new Auth.NamedClients(settings.find(Options.CLIENTS_FILE)
                .orElseThrow(() -> ConfigException.usage("--ws-auth named-clients needs --clients-file")));
    }

    private static Auth signedBearer(Settings settings) {
        refuse(TOKEN_OPTIONS, "capability-token", settings);
        refuse(CLIENT_OPTIONS, "named-clients", settings);
        Path secret = settings.find(Options.WS_SHARED_SECRET_FILE)
                .orElseThrow(() -> ConfigException.knownUsage(
                        "`--ws-shared-secret-file` is required when " + "`--ws-auth signed-bearer-token` is set"));
        return new Auth.SignedBearer(
                secret,
                settings.find(Options.WS_ISSUER),
                settings.find(Options.WS_AUDIENCE),
                Duration.ofSeconds(settings.value(Options.WS_MAX_CLOCK_SKEW_SECONDS)));
    }

    private static void refuse(List<Option<?>> options, String mode, Settings settings) {
        for (Option<?> option : options) {
            if (settings.given(option)) {
                throw ConfigException.knownUsage("`%s` requires `--ws-auth %s`".formatted(option.longName(), mode));
            }
        }
    }
}
