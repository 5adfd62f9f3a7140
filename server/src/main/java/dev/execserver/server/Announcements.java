package dev.execserver.server;

import dev.execserver.protocol.environment.Capabilities;
import dev.execserver.protocol.environment.Capability;
import dev.execserver.protocol.environment.EnvironmentMethodNames;
import dev.execserver.protocol.fs.FsFeatures;
import dev.execserver.protocol.fs.FsMethodNames;
import dev.execserver.protocol.net.NetMethodNames;
import dev.execserver.protocol.process.ProcessFeatures;
import dev.execserver.protocol.process.ProcessMethodNames;
import dev.execserver.protocol.session.SessionFeatures;
import dev.execserver.protocol.session.SessionMethodNames;
import dev.execserver.sandbox.intercept.InterceptProbe;
import dev.execserver.server.config.Auth;
import dev.execserver.server.config.ListenUrl;
import dev.execserver.server.config.Platform;
import dev.execserver.server.config.ServerConfig;
import dev.execserver.server.transport.exec.ExecEndpoint;
import dev.execserver.server.transport.files.FileEndpoint;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/** Facts that a server tells its clients about itself: capabilities of the protocol, and names of its own additions. Stateless. */
final class Announcements {

    /** Names of the server's additions to the protocol, under which clients look for them. */
    static final List<String> FEATURES = List.of(
            ProcessMethodNames.RESIZE,
            ProcessMethodNames.CLOSE_STDIN,
            ProcessMethodNames.SIGNAL,
            ProcessFeatures.FOREGROUND,
            ProcessMethodNames.LIST,
            ProcessFeatures.SIZE,
            ProcessFeatures.TIMEOUT,
            ProcessFeatures.IDLE_TIMEOUT,
            ProcessFeatures.CLOSE_GRACE,
            ProcessFeatures.PUSH,
            ProcessFeatures.LIMITS,
            ProcessFeatures.EXEC_POLICY,
            ProcessMethodNames.EXEC_ALLOW_APPROVER,
            ProcessMethodNames.EXEC_APPROVE,
            ProcessFeatures.GRACE,
            SessionFeatures.TTL,
            SessionFeatures.TAKEOVER,
            SessionMethodNames.END,
            SessionFeatures.NAME,
            SessionMethodNames.LIST,
            SessionMethodNames.OBSERVE,
            ProcessMethodNames.WAIT,
            ProcessFeatures.SANDBOX_BACKEND,
            ProcessFeatures.EXIT_DETAILS,
            EnvironmentMethodNames.SANDBOX_STATUS,
            EnvironmentMethodNames.DISCOVER,
            FsFeatures.ATOMIC,
            FsFeatures.EXPECT,
            FsFeatures.ENTRY_PATH,
            FsFeatures.MAX_ENTRIES,
            FsFeatures.MAX_BYTES,
            FsMethodNames.RENAME,
            FsMethodNames.APPEND,
            FsMethodNames.SET_MODE,
            FsFeatures.MODE,
            FsMethodNames.SEARCH,
            FsMethodNames.WATCH,
            NetMethodNames.HTTP_CANCEL);

    /** Added to {@link #FEATURES} if the server offers whole files, also in a sandbox, and commands over HTTP. */
    private static final List<String> HTTP_FEATURES =
            List.of(FileEndpoint.PATH, FileEndpoint.SANDBOX_HEADER, ExecEndpoint.PATH);

    /** Abilities that a client may use only if the server announces them. */
    private static final Set<Capability> CAPABILITIES = Set.of(
            Capability.ENVIRONMENT_CONFIG_READ,
            Capability.FILE_WRITE_STREAMING,
            Capability.FS_WATCH_MISSING,
            Capability.HTTP_HEADER_ENV_VARS,
            Capability.NETWORK_PROXY_LAUNCH,
            Capability.NETWORK_PROXY_REVIEW_DOMAINS,
            Capability.SANDBOXED_FILE_STREAMING);

    private Announcements() {}

    static Capabilities capabilities(ServerConfig config) {
        Set<Capability> all = EnumSet.copyOf(CAPABILITIES);
        if (config.platform().sandbox().backend() != Platform.SandboxBackend.LANDLOCK && InterceptProbe.promising()) {
            all.add(Capability.NETWORK_PROXY_TRANSPARENT_TCP);
        }
        return new Capabilities(all);
    }

    static List<String> features(ServerConfig config) {
        boolean http = !(config.listen().url() instanceof ListenUrl.Stdio)
                && !(config.listen().auth() instanceof Auth.None);
        return http ? Stream.concat(FEATURES.stream(), HTTP_FEATURES.stream()).toList() : FEATURES;
    }
}
