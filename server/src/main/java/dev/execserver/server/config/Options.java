package dev.execserver.server.config;

import static dev.execserver.server.config.OptionRegister.add;
import static dev.execserver.server.config.OptionRegister.count;
import static dev.execserver.server.config.OptionRegister.declared;
import static dev.execserver.server.config.OptionRegister.define;
import static dev.execserver.server.config.OptionRegister.defineWithoutDefault;
import static dev.execserver.server.config.OptionRegister.file;
import static dev.execserver.server.config.OptionRegister.onOff;
import static dev.execserver.server.config.OptionRegister.optional;
import static dev.execserver.server.config.OptionRegister.size;
import static dev.execserver.server.config.OptionRegister.time;

import dev.execserver.protocol.rpc.Dialect;
import dev.execserver.server.config.Auth.SignedBearer;
import dev.execserver.server.config.Platform.Helper;
import dev.execserver.server.config.Platform.PidNamespace;
import dev.execserver.server.config.Platform.Pty;
import dev.execserver.server.config.Platform.SandboxBackend;
import dev.execserver.server.rights.LimitSet;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.time.Duration;
import java.util.List;
import java.util.Set;

/**
 * Table of all options, in the order of the help. It is their only list: the command line, the environment variables,
 * the properties file and the tables of docs/configuration.md are derived from it.
 */
public final class Options {
    public static final Option<Path> CONFIG =
            file("config", "Read further settings from this properties file, one `name=value` a line.");

    // Listener
    /** Stays text, because messages that launchers know contain it. */
    public static final Option<List<String>> LISTEN = add(ListenOptions.LISTEN);

    public static final Option<Set<PosixFilePermission>> SOCKET_MODE = add(ListenOptions.SOCKET_MODE);
    public static final Option<String> SOCKET_GROUP = add(ListenOptions.SOCKET_GROUP);
    public static final Option<List<Integer>> ALLOW_UID = add(ListenOptions.ALLOW_UID);

    public static final Option<Boolean> ORIGIN_GUARD = onOff(
            "origin-guard",
            Listen.DEFAULT_ORIGIN_GUARD,
            "Refuse every HTTP request that carries an `Origin` header, so that no web page can reach the server.");
    public static final Option<Path> TLS_CERT =
            file("tls-cert", "Makes the listener `wss://`: PEM file with the server's certificate chain.");
    public static final Option<Path> TLS_KEY =
            file("tls-key", "PEM file with the private key (PKCS#8, not encrypted) of `--tls-cert`.");
    public static final Option<Path> TLS_CLIENT_CA = add(AuthOptions.TLS_CLIENT_CA);
    public static final Option<Boolean> EXIT_ON_STDIN_CLOSE = add(define(
                    "exit-on-stdin-close",
                    new ValueType.Switch(),
                    "on|off",
                    Listen.DEFAULT_EXIT_ON_STDIN_CLOSE,
                    "End a WebSocket server when its standard input ends, so that it never outlives its parent.")
            .withEnvironmentAlias("CODEX_EXEC_SERVER_EXIT_ON_STDIN_CLOSE"));

    // Authentication
    static final Option<WebSocketAuthMode> WS_AUTH = optional(
            "ws-auth",
            ValueType.Choice.of(WebSocketAuthMode.class),
            "MODE",
            "What a WebSocket upgrade must prove: `capability-token`, `signed-bearer-token` or `named-clients`.");

    public static final Option<Path> WS_TOKEN_FILE =
            file("ws-token-file", "File that holds the capability token; space around it is ignored.");
    public static final Option<String> WS_TOKEN_SHA256 = optional(
            "ws-token-sha256",
            new ValueType.Text(),
            "HEX",
            "SHA-256 of the capability token, instead of `--ws-token-file`.");
    public static final Option<Path> WS_SHARED_SECRET_FILE = file(
            "ws-shared-secret-file",
            "Keys of signed bearer tokens: a JWK set, PEM public keys, or the HS256 key, 32 bytes or more.");
    public static final Option<String> WS_ISSUER =
            optional("ws-issuer", new ValueType.Text(), "TEXT", "What `iss` of a signed bearer token must be.");
    public static final Option<String> WS_AUDIENCE = optional(
            "ws-audience", new ValueType.Text(), "TEXT", "What `aud` of a signed bearer token must be or contain.");
    public static final Option<Integer> WS_MAX_CLOCK_SKEW_SECONDS = add(
            "ws-max-clock-skew-seconds",
            new ValueType.Count(0, SignedBearer.LARGEST_MAX_CLOCK_SKEW_SECONDS),
            "N",
            SignedBearer.DEFAULT_MAX_CLOCK_SKEW_SECONDS,
            "Seconds that the clocks may differ when `exp` and `nbf` are compared.");

    public static final Option<Path> CLIENTS_FILE = add(AuthOptions.CLIENTS_FILE);

    public static final Option<Duration> CREDENTIAL_OVERLAP = time(
            "credential-overlap",
            Timing.DEFAULT_CREDENTIAL_OVERLAP,
            Duration.ZERO,
            Timing.LONGEST_CREDENTIAL_OVERLAP,
            "How long a replaced token or key is accepted beside the new one; 0 refuses it at once.");

    // HTTP
    public static final Option<List<String>> ALLOWED_HOSTS = add(
            "allowed-hosts",
            ValueType.Names.ofHosts(),
            "NAME,...",
            Http.DEFAULTS.allowedHosts(),
            "Names that the `Host` header of a request may have, beside literal IP addresses; for WebSockets also `localhost`.");
    public static final Option<String> BASE_PATH = add(ReverseProxyOptions.BASE_PATH);
    public static final Option<List<String>> TRUSTED_PROXIES = add(ReverseProxyOptions.TRUSTED_PROXIES);
    public static final Option<ReverseProxy.Header> FORWARDED_HEADER = add(ReverseProxyOptions.FORWARDED_HEADER);
    public static final Option<Console.Mode> CONSOLE = add(ConsoleOptions.CONSOLE);
    public static final Option<List<String>> ALLOWED_ORIGINS = add(ConsoleOptions.ALLOWED_ORIGINS);
    public static final Option<List<String>> HTTP_PROTECTED_ENV = add(
            "http-protected-env",
            ValueType.Names.ofVariables(),
            "NAME,...",
            Http.DEFAULTS.protectedEnv(),
            "Variables that no header of `http/request` may be made of, beside the server's own.");

    // Protocol
    public static final Option<Dialect> PROTOCOL = add(
            "protocol",
            ValueType.Choice.of(Dialect.class),
            "DIALECT",
            Protocol.DEFAULT_DIALECT,
            "`open` serves clients of all eras and the additive members; `strict` is exactly the newest dialect.");
    public static final Option<StrictMembers> STRICT_MEMBERS = add(
            "strict-members",
            ValueType.Choice.of(StrictMembers.class),
            "MODE",
            Protocol.DEFAULT_MEMBERS,
            "Unknown members of params, such as `timeout` for `timeoutMs`: `off` ignores them, `warn` names them in `warnings` of the answer, `refuse` refuses the request with -32602.");

    // Limits
    public static final Option<Integer> CONCURRENT_REQUESTS = count(
            "concurrent-requests",
            Limits.DEFAULT_CONCURRENT_REQUESTS,
            "Ordinary requests that one connection has executing at once; control requests do not count.");
    public static final Option<Integer> MAX_CONNECTIONS =
            count("max-connections", Limits.DEFAULT_MAX_CONNECTIONS, "Open connections of the server.");
    public static final Option<Integer> MAX_SESSIONS =
            count("max-sessions", Limits.DEFAULT_MAX_SESSIONS, "Sessions of the server.");
    public static final Option<Integer> MAX_PROCESSES = count(
            "max-processes",
            Limits.DEFAULT_MAX_PROCESSES,
            "Processes of one session, exited ones that are still readable included.");
    public static final Option<Long> MAX_IN_FLIGHT_BYTES = size(
            "max-in-flight-bytes",
            Limits.DEFAULT_MAX_IN_FLIGHT_BYTES,
            Limits.SMALLEST_IN_FLIGHT_BYTES,
            "Bytes of received and not yet answered requests of one connection.");
    public static final Option<Long> REQUEST_MEMORY_BYTES = add(define(
                    "request-memory-bytes",
                    new ValueType.Size(Limits.SMALLEST_REQUEST_MEMORY_BYTES, Limits.LARGEST_BYTES),
                    "SIZE",
                    Limits.DEFAULT_REQUEST_MEMORY_BYTES,
                    "Memory for the requests of all clients: a half for what is received, a quarter for answers (an eighth of both for clients that hold little), "
                            + "three sixteenths for input that waits for programs, a sixteenth for file watches.")
            .withDefaultText("half of the heap, at most 512MiB"));
    public static final Option<Long> STDIN_QUEUE_BYTES = size(
            "stdin-queue-bytes",
            Limits.DEFAULT_STDIN_QUEUE_BYTES,
            Limits.SMALLEST_STDIN_QUEUE_BYTES,
            "Bytes that wait for one process to read its stdin; a write beyond it fails at once.");
    public static final Option<Integer> MAX_HELPERS = count(
            "max-helpers",
            Limits.DEFAULT_MAX_HELPERS,
            "Processes that carry out file calls in sandboxes, kept warm for a minute; each may take 200 MiB.");
    public static final Option<Integer> FS_THREADS = add(
            "fs-threads",
            new ValueType.Count(Limits.SMALLEST_FS_THREADS, Limits.LARGEST_FS_THREADS),
            "N",
            Limits.DEFAULT_FS_THREADS,
            "Threads that do file-system work; one connection occupies half of them at most. Half as many more search, walk and"
                    + " copy.");

    public static final Option<LimitSet> DEFAULT_LIMITS = add(LimitOptions.DEFAULT_LIMITS);
    public static final Option<LimitSet> MAX_LIMITS = add(LimitOptions.MAX_LIMITS);
    public static final Option<LimitSet> SESSION_LIMITS = add(LimitOptions.SESSION_LIMITS);
    public static final Option<LimitSet> SERVER_LIMITS = add(LimitOptions.SERVER_LIMITS);

    // Output retention
    public static final Option<Long> SPILL_FREE_BYTES = add(LimitOptions.SPILL_FREE_BYTES);
    public static final Option<Long> OUTPUT_MEMORY_BYTES = size(
            "output-memory-bytes",
            Retention.DEFAULT_OUTPUT_MEMORY_BYTES,
            Retention.SMALLEST_BYTES,
            "Output of one process that is kept in memory; older output goes to a spill file.");
    public static final Option<Long> OUTPUT_RETENTION_BYTES = size(
            "output-retention-bytes",
            Retention.DEFAULT_OUTPUT_RETENTION_BYTES,
            Retention.SMALLEST_OUTPUT_RETENTION_BYTES,
            "Output of one process that is kept at all, memory and spill file together.");
    public static final Option<Long> RETAINED_MEMORY_BYTES = add(define(
                    "retained-memory-bytes",
                    new ValueType.Size(Retention.SMALLEST_BYTES, Limits.LARGEST_BYTES),
                    "SIZE",
                    Retention.DEFAULT_RETAINED_MEMORY_BYTES,
                    "Output of all processes that is kept in memory.")
            .withDefaultText("a quarter of the heap, at most 256MiB"));
    public static final Option<Long> RETAINED_BYTES = size(
            "retained-bytes",
            Retention.DEFAULT_RETAINED_BYTES,
            Retention.SMALLEST_BYTES,
            "Output of all processes that is kept at all.");
    public static final Option<Path> SPILL_DIR = add(defineWithoutDefault(
                    "spill-dir",
                    new ValueType.File(),
                    "PATH",
                    "Folder of the spill files; they have no names and vanish with the server.")
            .withDefaultText("the system's folder for temporary files"));
    public static final Option<Duration> PROCESS_RETENTION = time(
            "process-retention",
            Retention.DEFAULT_PROCESS_RETENTION,
            Duration.ZERO,
            Retention.LONGEST_PROCESS_RETENTION,
            "How long a closed process stays readable.");

    // Timing
    public static final Option<Duration> SESSION_TTL = time(
            "session-ttl",
            Timing.DEFAULT_SESSION_TTL,
            Duration.ZERO,
            Timing.LONGEST_SESSION_TTL,
            "How long a session outlives its connection; 0 ends it at once.");
    public static final Option<Duration> SESSION_TTL_MAX = time(
            "session-ttl-max",
            Timing.DEFAULT_SESSION_TTL_MAX,
            Duration.ZERO,
            Timing.LONGEST_SESSION_TTL,
            "The longest time to live that a client may ask for.");
    public static final Option<Duration> SHUTDOWN_GRACE = time(
            "shutdown-grace",
            Timing.DEFAULT_SHUTDOWN_GRACE,
            Duration.ZERO,
            Timing.LONGEST,
            "How long processes get between TERM and KILL when the server ends; 0 kills at once.");
    public static final Option<Duration> PING_INTERVAL = time(
            "ping-interval",
            Timing.DEFAULT_PING_INTERVAL,
            Duration.ZERO,
            Timing.LONGEST,
            "Time between the server's keep-alive pings; 0 sends none.");
    public static final Option<Duration> PEER_TIMEOUT = time(
            "peer-timeout",
            Timing.DEFAULT_PEER_TIMEOUT,
            Duration.ZERO,
            Timing.LONGEST,
            "A connection from which nothing came for so long is dropped; 0 never drops.");
    public static final Option<Duration> REQUEST_TIMEOUT = time(
            "request-timeout",
            Timing.DEFAULT_REQUEST_TIMEOUT,
            Timing.SHORTEST_REQUEST_TIMEOUT,
            Timing.LONGEST,
            "How long an HTTP request may take to arrive, and an HTTP connection may idle before its upgrade.");

    // Execution of programs
    public static final Option<Pty> PTY = add(
            "pty",
            ValueType.Choice.of(Pty.class),
            "WHO",
            Platform.DEFAULT_PTY,
            "Who opens pseudo terminals: `ffm` (own binding to the C library) or `pty4j`.");
    public static final Option<Boolean> GUARDIAN = onOff(
            "guardian",
            Platform.DEFAULT_GUARDIAN,
            "Keep a small shell process that ends all processes when the server itself is killed.");
    public static final Option<PidNamespace> LINUX_SANDBOX_PID_NAMESPACE = add(
            "linux-sandbox-pid-namespace",
            ValueType.Choice.of(PidNamespace.class),
            "MODE",
            Platform.DEFAULT_PID_NAMESPACE,
            "Whether sandboxed programs have process ids of their own (`isolate`) or see those of the host (`inherit`).");
    public static final Option<SandboxBackend> SANDBOX_BACKEND = add(
            "sandbox-backend",
            ValueType.Choice.of(SandboxBackend.class),
            "WHICH",
            Platform.Sandbox.DEFAULT_BACKEND,
            "`auto`: bubblewrap, or Landlock where namespaces are denied and it enforces the same; or `landlock`.");
    public static final Option<Boolean> SANDBOX_PROC = onOff(
            "sandbox-proc",
            Platform.Sandbox.DEFAULT_PROC,
            "Give sandboxed programs a /proc; without one, or where it cannot be mounted, it is empty.");
    public static final Option<Boolean> REQUIRE_SANDBOX = onOff(
            "require-sandbox",
            Platform.Sandbox.DEFAULT_REQUIRED,
            "Refuse every command and file call that is not confined to a part of the files.");
    public static final Option<String> SANDBOX_FLOOR = optional(
            "sandbox-floor",
            new ValueType.Text(),
            "JSON|FILE|NAME",
            "The permission profile that no client gets more than; file calls without a sandbox run under it. Text, a file"
                    + " (written with a slash), or a name; read at the start only.");
    public static final Option<Path> PROFILES = file(
            "profiles",
            "Permission profiles that clients can name: JSON, or TOML with tables `[permissions.NAME]` if its name ends with"
                    + " `.toml`; read again when the file changes.");
    public static final Option<String> DEFAULT_PROFILE = add(
            "default-profile",
            new ValueType.Text(),
            "NAME",
            RuntimePaths.DEFAULT_PROFILE,
            "Profile of a `command/exec` that names none.");
    public static final Option<Boolean> LINUX_SANDBOX_TRANSPARENT_TCP = onOff(
            "linux-sandbox-transparent-tcp",
            Platform.Sandbox.DEFAULT_TRANSPARENT_TCP,
            "Serve programs that know no proxy in every sandbox whose only network is a proxy of this server, also where the"
                    + " request does not ask for it.");
    public static final Option<String> TCP_UPSTREAM_PROXY = optional(
            "tcp-upstream-proxy",
            new ValueType.Text(),
            "HOST:PORT",
            "An HTTP proxy (CONNECT) for the connections of SOCKS5 and of programs that know no proxy.");
    public static final Option<List<Path>> EXEC_RULES = optional(
            "exec-rules",
            new ValueType.Files(),
            "PATH",
            "Rules for the programs of all commands: a file, or a folder of `*.rules` files; several times, or with colons"
                    + " between them.");
    public static final Option<List<String>> EXEC_KEEP_ENV = optional(
            "exec-keep-env", ValueType.Names.ofVariables(), "NAME,...", "More variables that escalated programs keep.");
    public static final Option<Helper> HELPER = add(
            "helper",
            ValueType.Choice.of(Helper.class),
            "MODE",
            Platform.DEFAULT_HELPER,
            "Whether the helper of a sandboxed file call is kept for the next one with the same view (`warm`), or ends with"
                    + " its only request (`oneshot`).");
    public static final Option<Path> HELPER_JAR = file(
            "helper-jar", "The launcher jar for sandboxed file calls, instead of `helper.jar` beside the server's.");
    public static final Option<Path> BWRAP = file(
            "bwrap",
            "The bubblewrap program, instead of the first usable one on the server's `PATH`, or else the one that came with it.");
    public static final Option<Path> STATE_DIR = add(defineWithoutDefault(
                    "state-dir",
                    new ValueType.File(),
                    "PATH",
                    "Folder for the state of the server, which no sandboxed program may see; made when it is missing.")
            .withDefaultText(
                    "`/run/exec-server` for root, else `/run/user/UID/exec-server` or `/tmp/exec-server-UID`"));

    // MCP
    public static final Option<Boolean> MCP = onOff(
            "mcp", Mcp.DEFAULT_HTTP, "Serve MCP clients at `/mcp` too: a tool that runs shell commands in sandboxes.");
    public static final Option<Path> MCP_SHELL =
            file("mcp-shell", "The shell that runs the commands of MCP clients, instead of Bash.");
    public static final Option<Path> MCP_EXECVE = file(
            "mcp-execve",
            "A wrapper that the shell, a patched one, runs in the place of each program: it asks this server what becomes of the"
                    + " program.");
    public static final Option<String> MCP_PROFILE = optional(
            "mcp-profile",
            new ValueType.Text(),
            "JSON|FILE|NAME",
            "Permission profile of MCP clients that send no policy: text, a file (written with a slash), or a name. Without it they read everything, write their workspace and"
                    + " temporary folders, and have no network.");
    public static final Option<List<Path>> MCP_RULES = optional(
            "mcp-rules",
            new ValueType.Files(),
            "PATH",
            "Rules for the programs of MCP clients, which may also let programs out of their sandbox; named as in"
                    + " `--exec-rules`, read again when they change.");
    public static final Option<Boolean> MCP_PRESERVE_PROGRAM_PATHS = add(ShellOptions.PRESERVE_PROGRAM_PATHS);
    public static final Option<McpForm> MCP_COMPAT = add(ShellOptions.COMPAT);
    public static final Option<Duration> MCP_SESSION_TTL = time(
            "mcp-session-ttl",
            Mcp.DEFAULT_SESSION_TTL,
            Duration.ZERO,
            Timing.LONGEST_SESSION_TTL,
            "How long the session of an MCP client over HTTP, with its commands, outlives its last request.");
    public static final Option<List<String>> SANDBOXD = add(ListenOptions.SANDBOXD);
    // Management
    public static final Option<Boolean> METRICS = add(ListenOptions.METRICS);
    public static final Option<String> MANAGEMENT_LISTEN = add(ListenOptions.MANAGEMENT_LISTEN);

    // Logging
    public static final Option<LogLevel> LOG_LEVEL = add(
            "log-level",
            ValueType.Choice.of(LogLevel.class),
            "LEVEL",
            LogLevel.DEFAULT,
            "How much is written to stderr: `error`, `warn`, `info`, `debug` or `trace`.");

    public static final Option<AccessLogSettings.Format> ACCESS_LOG = add(
            "access-log",
            ValueType.Choice.of(AccessLogSettings.Format.class),
            "FORMAT",
            AccessLogSettings.DEFAULT_FORMAT,
            "One line for each connection, session, command, file change and refusal: `off`, `text` or `json`.");
    public static final Option<Path> ACCESS_LOG_FILE = file(
            "access-log-file",
            "File that the access log is appended to, instead of stderr; it may be rotated at any time.");
    public static final Option<AccessLogSettings.Arguments> ACCESS_LOG_ARGUMENTS = add(
            "access-log-arguments",
            ValueType.Choice.of(AccessLogSettings.Arguments.class),
            "AMOUNT",
            AccessLogSettings.DEFAULT_ARGUMENTS,
            "How much of a command the access log shows: `full`, `program` or `none`; arguments may contain secrets.");

    /** All options. */
    public static final List<Option<?>> ALL = declared();

    private Options() {}
}
