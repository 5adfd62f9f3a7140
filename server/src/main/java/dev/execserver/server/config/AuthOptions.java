package dev.execserver.server.config;

import static dev.execserver.server.config.OptionRegister.defineWithoutDefault;

import java.nio.file.Path;

/** Options of named clients, for {@link Options}. */
final class AuthOptions {
    static final Option<Path> CLIENTS_FILE = defineWithoutDefault(
            "clients-file",
            new ValueType.File(),
            "PATH",
            "Clients (JSON), each with its name, tokens, certificates and rights; for `--ws-auth named-clients`.");
    static final Option<Path> TLS_CLIENT_CA = defineWithoutDefault(
            "tls-client-ca",
            new ValueType.File(),
            "PATH",
            "PEM file with the authorities that sign the certificates of clients. A client of `--clients-file` may show such a"
                    + " certificate instead of a token.");

    private AuthOptions() {}
}
