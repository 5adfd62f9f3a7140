package dev.execserver.server.config;

import dev.execserver.cli.local.ConfigException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** Turns settings into the records. It also checks rules between two options; those messages name both options. */
final class ServerConfigAssembler {
    private final Settings settings;

    private ServerConfigAssembler(Settings settings) {
        this.settings = settings;
    }

    static ServerConfig assemble(Settings settings) {
        ServerConfigAssembler assembler = new ServerConfigAssembler(settings);
        return new ServerConfig(
                assembler.listen(),
                new Http(
                        settings.value(Options.ALLOWED_HOSTS),
                        settings.value(Options.HTTP_PROTECTED_ENV),
                        ReverseProxyOptions.assemble(settings),
                        ConsoleOptions.assemble(settings)),
                new Protocol(settings.value(Options.PROTOCOL), settings.value(Options.STRICT_MEMBERS)),
                assembler.limits(),
                assembler.retention(),
                assembler.timing(),
                new Platform(
                        settings.value(Options.PTY),
                        settings.value(Options.GUARDIAN),
                        settings.value(Options.LINUX_SANDBOX_PID_NAMESPACE),
                        new Platform.Sandbox(
                                settings.value(Options.SANDBOX_BACKEND),
                                settings.value(Options.SANDBOX_PROC),
                                settings.value(Options.REQUIRE_SANDBOX),
                                settings.find(Options.SANDBOX_FLOOR),
                                settings.value(Options.LINUX_SANDBOX_TRANSPARENT_TCP),
                                settings.find(Options.TCP_UPSTREAM_PROXY).map(UpstreamAddress::parse),
                                settings.find(Options.EXEC_KEEP_ENV).orElse(List.of())),
                        settings.value(Options.HELPER),
                        LimitOptions.assemble(settings)),
                new RuntimePaths(
                        settings.find(Options.HELPER_JAR),
                        settings.find(Options.BWRAP),
                        settings.find(Options.STATE_DIR),
                        settings.find(Options.CONFIG),
                        settings.find(Options.EXEC_RULES).orElse(List.of()),
                        settings.find(Options.PROFILES),
                        settings.value(Options.DEFAULT_PROFILE)),
                assembler.accessLog(),
                new Mcp(
                        settings.value(Options.MCP),
                        settings.find(Options.MCP_SHELL),
                        settings.find(Options.MCP_EXECVE),
                        settings.find(Options.MCP_PROFILE),
                        settings.find(Options.MCP_RULES).orElse(List.of()),
                        List.of(),
                        settings.value(Options.MCP_PRESERVE_PROGRAM_PATHS),
                        settings.value(Options.MCP_COMPAT),
                        settings.value(Options.MCP_SESSION_TTL)),
                new Management(
                        settings.value(Options.METRICS),
                        settings.find(Options.MANAGEMENT_LISTEN).map(Management::parse)));
    }

    private AccessLogSettings accessLog() {
        AccessLogSettings.Format format = settings.value(Options.ACCESS_LOG);
        boolean off = format == AccessLogSettings.Format.OFF;
        if (!settings.given(Options.ACCESS_LOG) && settings.given(Options.ACCESS_LOG_FILE)) {
            throw ConfigException.usage("--access-log-file, %s, needs --access-log text or json"
                    .formatted(settings.describe(Options.ACCESS_LOG_FILE)));
        }
        return new AccessLogSettings(
                format,
                off ? Optional.empty() : settings.find(Options.ACCESS_LOG_FILE),
                settings.value(Options.ACCESS_LOG_ARGUMENTS));
    }

    private Listen listen() {
        Optional<Tls> tls = tls();
        List<ListenUrl> urls = settings.value(Options.LISTEN).stream()
                .map(url -> url(url, tls.isPresent()))
                .toList();
        Auth auth = AuthAssembler.assemble(settings);
        try {
            return new Listen(
                    urls,
                    auth,
                    tls,
                    settings.value(Options.ORIGIN_GUARD),
                    settings.value(Options.EXIT_ON_STDIN_CLOSE),
                    new LocalAccess(
                            settings.value(Options.SOCKET_MODE),
                            settings.find(Options.SOCKET_GROUP),
                            settings.value(Options.ALLOW_UID)),
                    Sandboxd.addresses(settings, auth));
        } catch (IllegalArgumentException e) {
            throw ConfigException.usage("--listen: " + e.getMessage());
        }
    }

    /** Reads an address. It is the same with and without TLS: the certificate switches TLS on, "wss" only repeats it. */
    private static ListenUrl url(String url, boolean tls) {
        if (!url.startsWith("wss://")) {
            return ListenUrl.parse(url);
        }
        if (!tls) {
            throw ConfigException.usage("--listen %s needs --tls-cert and --tls-key".formatted(url));
        }
        return ListenUrl.parse("ws" + url.substring("wss".length()));
    }

    private Optional<Tls> tls() {
        if (settings.given(Options.TLS_CERT) != settings.given(Options.TLS_KEY)) {
            throw ConfigException.usage("`--tls-cert` and `--tls-key` are required together");
        }
        if (settings.given(Options.TLS_CLIENT_CA) && !settings.given(Options.TLS_CERT)) {
            throw ConfigException.usage("--tls-client-ca needs --tls-cert and --tls-key");
        }
        return settings.find(Options.TLS_CERT)
                .map(certificate -> new Tls(
                        certificate,
                        settings.find(Options.TLS_KEY).orElseThrow(),
                        settings.find(Options.TLS_CLIENT_CA)));
    }

    private Limits limits() {
        requireInHeap(Options.REQUEST_MEMORY_BYTES);
        return new Limits(
                settings.value(Options.CONCURRENT_REQUESTS),
                settings.value(Options.MAX_CONNECTIONS),
                settings.value(Options.MAX_SESSIONS),
                settings.value(Options.MAX_PROCESSES),
                settings.value(Options.MAX_IN_FLIGHT_BYTES),
                settings.value(Options.REQUEST_MEMORY_BYTES),
                settings.value(Options.STDIN_QUEUE_BYTES),
                settings.value(Options.MAX_HELPERS),
                settings.value(Options.FS_THREADS));
    }

    private Retention retention() {
        requireAtMost(Options.OUTPUT_MEMORY_BYTES, Options.OUTPUT_RETENTION_BYTES);
        requireAtMost(Options.OUTPUT_MEMORY_BYTES, Options.RETAINED_MEMORY_BYTES);
        requireAtMost(Options.OUTPUT_RETENTION_BYTES, Options.RETAINED_BYTES);
        requireAtMost(Options.RETAINED_MEMORY_BYTES, Options.RETAINED_BYTES);
        requireInHeap(Options.RETAINED_MEMORY_BYTES);
        return new Retention(
                settings.value(Options.OUTPUT_MEMORY_BYTES),
                settings.value(Options.OUTPUT_RETENTION_BYTES),
                settings.value(Options.RETAINED_MEMORY_BYTES),
                settings.value(Options.RETAINED_BYTES),
                settings.find(Options.SPILL_DIR).orElseGet(Retention::defaultSpillDirectory),
                settings.value(Options.SPILL_FREE_BYTES),
                settings.value(Options.PROCESS_RETENTION));
    }

    private Timing timing() {
        requireAtMost(Options.SESSION_TTL, Options.SESSION_TTL_MAX);
        Duration ping = settings.value(Options.PING_INTERVAL);
        Duration timeout = settings.value(Options.PEER_TIMEOUT);
        if (timeout.isPositive() && (ping.isZero() || timeout.compareTo(ping) <= 0)) {
            throw ConfigException.usage(
                    "--peer-timeout, %s, needs a --ping-interval that is shorter and not 0, not %s; "
                                    .formatted(
                                            settings.describe(Options.PEER_TIMEOUT),
                                            settings.describe(Options.PING_INTERVAL))
                            + "without pings an idle client would be dropped");
        }
        return new Timing(
                settings.value(Options.SESSION_TTL),
                settings.value(Options.SESSION_TTL_MAX),
                settings.value(Options.SHUTDOWN_GRACE),
                ping,
                timeout,
                settings.value(Options.REQUEST_TIMEOUT),
                settings.value(Options.CREDENTIAL_OVERLAP));
    }

    private void requireInHeap(Option<Long> option) {
        long heap = Runtime.getRuntime().maxMemory();
        if (settings.given(option) && settings.value(option) > heap) {
            throw ConfigException.usage(
                    "%s, %s, must not exceed the heap, %d MiB; lower it, or raise the heap, for example"
                                    .formatted(option.longName(), settings.describe(option), heap / Sizes.MIB)
                            + " with EXEC_SERVER_JAVA_OPTS=-Xmx4g");
        }
    }

    private <T extends Comparable<T>> void requireAtMost(Option<T> smaller, Option<T> larger) {
        if (settings.value(smaller).compareTo(settings.value(larger)) > 0) {
            throw ConfigException.usage("%s, %s, must not exceed %s, %s; lower the first or raise the second"
                    .formatted(
                            smaller.longName(),
                            settings.describe(smaller),
                            larger.longName(),
                            settings.describe(larger)));
        }
    }
}
