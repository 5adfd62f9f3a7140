package dev.execserver.server;

import dev.execserver.server.app.HttpCommands;
import dev.execserver.server.concurrent.Timers;
import dev.execserver.server.config.Listen;
import dev.execserver.server.environment.ServerEnvironment;
import dev.execserver.server.process.ProcessServices;
import dev.execserver.server.session.SessionRegistry;
import dev.execserver.server.transport.files.FileAccess;
import dev.execserver.server.transport.files.FileGuard;
import dev.execserver.server.transport.files.PathFiles;
import dev.execserver.server.transport.sandboxd.ProcessService;
import dev.execserver.server.transport.sandboxd.RestEndpoint;
import dev.execserver.server.transport.sandboxd.RuntimeInterface;
import dev.execserver.server.transport.websocket.WebSocketOptions.Access;
import java.util.Optional;

/** Makes the runtime interface of sandboxes, if it has an address. Stateless. */
final class RuntimeAssembly {
    private RuntimeAssembly() {}

    /** Returns the interface; empty if it has no address. */
    static Optional<RuntimeInterface> of(
            Listen listen,
            Access access,
            HttpCommands commands,
            ProcessServices services,
            FileAccess files,
            SessionRegistry sessions,
            Timers timers) {
        if (listen.sandboxd().isEmpty()) {
            return Optional.empty();
        }
        RestEndpoint rest = new RestEndpoint(
                FileGuard.ofLoopback(access.authenticator(), access.hosts()),
                () -> Observation.ready(sessions),
                ServerEnvironment.read(),
                new PathFiles(
                        services.files(), files, commands.log(), commands.directory(), commands::standardSandbox));
        return Optional.of(new RuntimeInterface(new ProcessService(commands), rest, timers));
    }
}
