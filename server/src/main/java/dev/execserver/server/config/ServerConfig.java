package dev.execserver.server.config;

import static java.util.Objects.requireNonNull;

import dev.execserver.protocol.rpc.Dialect;

/**
 * Complete configuration of a server, immutable. A program that embeds the server starts from the defaults and changes
 * what it needs; every group checks its own ranges:
 *
 * <pre>{@code
 * ServerConfig config = ServerConfig.DEFAULTS
 *         .withListenUrl(ListenUrl.parse("ws://127.0.0.1:0"))
 *         .withTiming(Timing.DEFAULTS.withShutdownGrace(Duration.ofSeconds(2)));
 * try (ExecServer server = ExecServer.start(config)) {
 *     connect(server.url());
 * }
 * }</pre>
 *
 * <p>The log level is not part of it, because it belongs to the program, and an embedding program has its own.
 *
 * @param listen the listener, its authentication and TLS
 * @param http files over HTTP, and HTTP requests for clients
 * @param protocol dialect and strictness
 * @param limits upper bounds
 * @param retention bounds of retained output
 * @param timing time limits
 * @param platform settings for running programs
 * @param paths files of the installation
 * @param accessLog record of who connected and what ran
 * @param mcp the MCP server
 * @param management what operators see
 */
public record ServerConfig(
        Listen listen,
        Http http,
        Protocol protocol,
        Limits limits,
        Retention retention,
        Timing timing,
        Platform platform,
        RuntimePaths paths,
        AccessLogSettings accessLog,
        Mcp mcp,
        Management management) {
    public static final ServerConfig DEFAULTS = new ServerConfig(
            Listen.DEFAULTS,
            Http.DEFAULTS,
            Protocol.DEFAULTS,
            Limits.DEFAULTS,
            Retention.DEFAULTS,
            Timing.DEFAULTS,
            Platform.DEFAULTS,
            RuntimePaths.DEFAULTS,
            AccessLogSettings.DEFAULTS,
            Mcp.DEFAULTS,
            Management.DEFAULTS);

    public ServerConfig {
        requireNonNull(listen, "listen");
        requireNonNull(http, "http");
        requireNonNull(protocol, "protocol");
        requireNonNull(limits, "limits");
        requireNonNull(retention, "retention");
        requireNonNull(timing, "timing");
        requireNonNull(platform, "platform");
        requireNonNull(paths, "paths");
        requireNonNull(accessLog, "accessLog");
        requireNonNull(mcp, "mcp");
        requireNonNull(management, "management");
    }

    public Dialect dialect() {
        return protocol.dialect();
    }

    public ServerConfig withListenUrl(ListenUrl url) {
        return withListen(listen.withUrl(url));
    }

    public ServerConfig withListen(Listen newListen) {
        return new ServerConfig(
                newListen, http, protocol, limits, retention, timing, platform, paths, accessLog, mcp, management);
    }

    public ServerConfig withHttp(Http newHttp) {
        return new ServerConfig(
                listen, newHttp, protocol, limits, retention, timing, platform, paths, accessLog, mcp, management);
    }

    public ServerConfig withDialect(Dialect newDialect) {
        return new ServerConfig(
                listen,
                http,
                new Protocol(newDialect, protocol.members()),
                limits,
                retention,
                timing,
                platform,
                paths,
                accessLog,
                mcp,
                management);
    }

    public ServerConfig withLimits(Limits newLimits) {
        return new ServerConfig(
                listen, http, protocol, newLimits, retention, timing, platform, paths, accessLog, mcp, management);
    }

    public ServerConfig withRetention(Retention newRetention) {
        return new ServerConfig(
                listen, http, protocol, limits, newRetention, timing, platform, paths, accessLog, mcp, management);
    }

    public ServerConfig withTiming(Timing newTiming) {
        return new ServerConfig(
                listen, http, protocol, limits, retention, newTiming, platform, paths, accessLog, mcp, management);
    }

    public ServerConfig withPlatform(Platform newPlatform) {
        return new ServerConfig(
                listen, http, protocol, limits, retention, timing, newPlatform, paths, accessLog, mcp, management);
    }

    public ServerConfig withPaths(RuntimePaths newPaths) {
        return new ServerConfig(
                listen, http, protocol, limits, retention, timing, platform, newPaths, accessLog, mcp, management);
    }

    public ServerConfig withAccessLog(AccessLogSettings newAccessLog) {
        return new ServerConfig(
                listen, http, protocol, limits, retention, timing, platform, paths, newAccessLog, mcp, management);
    }

    public ServerConfig withMcp(Mcp newMcp) {
        return new ServerConfig(
                listen, http, protocol, limits, retention, timing, platform, paths, accessLog, newMcp, management);
    }

    public ServerConfig withManagement(Management newManagement) {
        return new ServerConfig(
                listen, http, protocol, limits, retention, timing, platform, paths, accessLog, mcp, newManagement);
    }
}
