package dev.execserver.server.config;

import static dev.execserver.server.config.OptionRegister.define;
import static dev.execserver.server.config.OptionRegister.defineWithoutDefault;

import java.nio.file.attribute.PosixFilePermission;
import java.util.List;
import java.util.Set;

/** Options of the addresses, for {@link Options}. */
final class ListenOptions {
    static final Option<List<String>> LISTEN = define(
            "listen",
            new LocalValues.Urls(),
            "URL",
            List.of(ListenUrl.DEFAULT.toString()),
            "`ws://IP:PORT`, or `wss://IP:PORT` with TLS (port 0: a free one), or `unix:PATH`, or `fd://NAME` (a socket of systemd), or `stdio`. Several may be given,"
                    + " but `stdio` only alone.");
    static final Option<Set<PosixFilePermission>> SOCKET_MODE = define(
            "socket-mode",
            new LocalValues.Mode(),
            "MODE",
            LocalAccess.DEFAULT_MODE,
            "Permissions of the files of Unix sockets.");
    static final Option<String> SOCKET_GROUP = defineWithoutDefault(
            "socket-group",
            new ValueType.Text(),
            "GROUP",
            "Group of the files of Unix sockets, instead of the server's own.");
    static final Option<List<Integer>> ALLOW_UID = define(
            "allow-uid",
            new LocalValues.Uids(),
            "UID,...",
            LocalAccess.DEFAULTS.uids(),
            "Users that may connect to Unix sockets, besides the server's own and root. They need no token there.");

    static final Option<Boolean> METRICS = define(
            "metrics",
            new ValueType.Switch(),
            "on|off",
            Management.DEFAULT_METRICS,
            "Count, and serve `/metrics` in the format of Prometheus: at the management address, or without one to whoever may"
                    + " connect.");
    static final Option<String> MANAGEMENT_LISTEN = defineWithoutDefault(
            "management-listen",
            new ValueType.Text(),
            "URL",
            "Another address for health checks and metrics, `http://IP:PORT`, or `unix:PATH`, where `exec-server admin` works too.");

    static final Option<List<String>> SANDBOXD = defineWithoutDefault(
            "sandboxd",
            new LocalValues.Urls(),
            "IP:PORT,...",
            "Addresses for the runtime interface of sandboxes in Kubernetes: processes by gRPC and files by HTTP. Without a log-in"
                    + " (`--ws-auth`, `--clients-file`) on loopback addresses only.");

    private ListenOptions() {}
}
