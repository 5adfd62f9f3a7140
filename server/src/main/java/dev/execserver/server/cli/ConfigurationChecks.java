package dev.execserver.server.cli;

import dev.execserver.cli.local.ConfigException;
import dev.execserver.cli.local.FileErrors;
import dev.execserver.server.config.ConfigLoader;
import dev.execserver.server.config.ListenUrl;
import dev.execserver.server.config.Option;
import dev.execserver.server.config.ServerConfig;
import dev.execserver.server.config.Tls;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/**
 * Checks what the configuration of a server asks of the machine: its files, its certificate, its address, room for output.
 * Blocks; used by the main thread.
 */
final class ConfigurationChecks {
    private static final Duration RENEWAL = Duration.ofDays(21);
    private static final long MIB = 1024 * 1024;
    private static final long LEAST_ROOM = 64 * MIB;

    private final ConfigLoader.Loaded loaded;
    private final List<CheckResult> results = new ArrayList<>();

    private ConfigurationChecks(ConfigLoader.Loaded loaded) {
        this.loaded = loaded;
    }

    /** @param check reads the files that a configuration names */
    static List<CheckResult> all(
            Map<Option<?>, String> given, Map<String, String> environment, Consumer<ServerConfig> check) {
        ConfigLoader.Loaded loaded;
        try {
            loaded = ConfigLoader.load(given, environment);
            check.accept(loaded.server());
        } catch (ConfigException e) {
            return List.of(CheckResult.missing(
                    "configuration",
                    e.getMessage().lines().findFirst().orElse(""),
                    "A server with these settings does not start.",
                    "exec-server --check-config with the same settings says the same."));
        }
        ConfigurationChecks checks = new ConfigurationChecks(loaded);
        checks.files();
        checks.certificate();
        checks.addresses();
        checks.room();
        return checks.results;
    }

    private void files() {
        List<String> warnings = SecretWarnings.of(loaded.server(), loaded.file());
        results.add(CheckResult.ok(
                "configuration",
                loaded.file().map(Path::toString).orElse("no file, only variables and defaults"),
                "All files that it names can be read."));
        warnings.forEach(text -> results.add(CheckResult.warning(
                "secrets",
                text,
                "Other users can use or change what is the server's.",
                "Change owner and mode of the file.")));
    }

    private void certificate() {
        loaded.server().listen().tls().map(Tls::certificate).ifPresent(this::certificate);
    }

    private void certificate(Path file) {
        try (InputStream in = Files.newInputStream(file)) {
            X509Certificate found =
                    (X509Certificate) CertificateFactory.getInstance("X.509").generateCertificate(in);
            Instant end = found.getNotAfter().toInstant();
            Duration left = Duration.between(Instant.now(), end);
            String result = "%s, valid until %s".formatted(found.getSubjectX500Principal(), end);
            String remedy = "Write a new certificate and its key into the files; a running server takes them up.";
            if (left.isNegative()) {
                results.add(CheckResult.missing("certificate", result, "Clients refuse it.", remedy));
            } else if (left.compareTo(RENEWAL) < 0) {
                results.add(CheckResult.warning("certificate", result, "Clients refuse it soon.", remedy));
            } else {
                results.add(CheckResult.ok("certificate", result, "Clients that know its issuer accept it."));
            }
        } catch (IOException | CertificateException e) {
            results.add(CheckResult.missing(
                    "certificate", file + ": " + e.getMessage(), "No client can connect.", "Give it a PEM file."));
        }
    }

    private void addresses() {
        loaded.server().listen().urls().forEach(url -> {
            if (url instanceof ListenUrl.WebSocket socket) {
                address(socket.address());
            }
        });
        if (loaded.server().listen().openToOthers()) {
            results.add(CheckResult.warning(
                    "access",
                    "other machines can connect without a credential",
                    "Whoever reaches the address runs programs as the server's user.",
                    "Use --ws-auth, or a loopback address."));
        }
    }

    private void address(InetSocketAddress address) {
        String shown = address.getAddress().getHostAddress() + " port " + address.getPort();
        try (ServerSocket socket = new ServerSocket()) {
            socket.setReuseAddress(true);
            socket.bind(address, 1);
            results.add(CheckResult.ok("address", shown, "A server can listen there."));
        } catch (IOException e) {
            String text = String.valueOf(e.getMessage());
            results.add(
                    text.contains("already in use")
                            ? CheckResult.warning(
                                    "address",
                                    shown + " is in use",
                                    "A server runs there, or another program.",
                                    "Nothing, if it is this server; else give --listen another port.")
                            : CheckResult.missing(
                                    "address",
                                    shown + ": " + text,
                                    "A server with these settings does not start.",
                                    "Give --listen an address of this machine, and a port above 1023 without root."));
        }
    }

    private void room() {
        Path folder = loaded.server().retention().spillDirectory();
        long wanted = loaded.server().retention().retainedBytes();
        try {
            long free = Files.getFileStore(folder).getUsableSpace();
            String result = "%d MiB free in %s, at most %d MiB are used".formatted(free / MIB, folder, wanted / MIB);
            String remedy = "Make room, or set --spill-dir or --retained-bytes.";
            if (free < LEAST_ROOM) {
                results.add(
                        CheckResult.missing("spill space", result, "Commands with much output stand still.", remedy));
            } else if (free < wanted) {
                results.add(CheckResult.warning(
                        "spill space",
                        result,
                        "The disk may fill up before the limit of the server is reached.",
                        remedy));
            } else {
                results.add(CheckResult.ok("spill space", result, "Output that nobody has read yet has room."));
            }
        } catch (IOException e) {
            results.add(CheckResult.missing(
                    "spill space",
                    folder + ": " + FileErrors.text(e),
                    "Output cannot be spilled.",
                    "Set --spill-dir to a folder that the server may write."));
        }
    }
}
