package dev.execserver.server.cli;

import dev.execserver.cli.secret.SecretPermissions;
import dev.execserver.cli.secret.SecretPermissions.Content;
import dev.execserver.server.config.Auth;
import dev.execserver.server.config.RuntimePaths;
import dev.execserver.server.config.ServerConfig;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Warns about secrets of a server that other users can read, and settings that they can change. Stateless; used at the
 * start of the server.
 */
final class SecretWarnings {
    private SecretWarnings() {}

    /** @param properties the file with options, if there is one */
    static List<String> of(ServerConfig config, Optional<Path> properties) {
        List<String> found = new ArrayList<>();
        properties.ifPresent(file -> found.addAll(SecretPermissions.warnings("--config", file, Content.SETTINGS)));
        found.addAll(
                switch (config.listen().auth()) {
                    case Auth.TokenFile(Path file) ->
                        SecretPermissions.warnings("--ws-token-file", file, Content.SECRET);
                    case Auth.SignedBearer bearer ->
                        SecretPermissions.warnings("--ws-shared-secret-file", bearer.secretFile(), Content.SECRET);
                    case Auth.NamedClients(Path file) ->
                        SecretPermissions.warnings("--clients-file", file, Content.SETTINGS);
                    case Auth.None _, Auth.TokenDigest _ -> List.<String>of();
                });
        config.listen().tls().ifPresent(tls -> {
            found.addAll(SecretPermissions.warnings("--tls-key", tls.key(), Content.SECRET));
            found.addAll(SecretPermissions.warnings("--tls-cert", tls.certificate(), Content.SETTINGS));
            tls.clientCa()
                    .ifPresent(file ->
                            found.addAll(SecretPermissions.warnings("--tls-client-ca", file, Content.SETTINGS)));
        });
        config.accessLog()
                .file()
                .ifPresent(
                        file -> found.addAll(SecretPermissions.warnings("--access-log-file", file, Content.SETTINGS)));
        RuntimePaths paths = config.paths();
        paths.bubblewrap()
                .ifPresent(file -> found.addAll(SecretPermissions.warnings("--bwrap", file, Content.SETTINGS)));
        paths.helperJar()
                .ifPresent(file -> found.addAll(SecretPermissions.warnings("--helper-jar", file, Content.SETTINGS)));
        return List.copyOf(found);
    }
}
