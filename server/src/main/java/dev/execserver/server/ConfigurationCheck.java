package dev.execserver.server;

import dev.execserver.cli.local.ConfigException;
import dev.execserver.server.config.AccessLogSettings;
import dev.execserver.server.config.ServerConfig;
import dev.execserver.server.credentials.Credentials;
import dev.execserver.server.environment.ServerEnvironment;
import dev.execserver.server.mcp.shell.ShellToolboxes;
import dev.execserver.server.sandbox.SandboxSettings;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Reads every file that a configuration names, as a start would, and starts, binds and writes nothing. Stateless; used by the
 * main thread.
 */
final class ConfigurationCheck {
    private ConfigurationCheck() {}

    /** @throws ConfigException with the error that a start would end with */
    static void check(ServerConfig config) {
        ConfiguredFileChecks.check(config);
        ConfiguredFileChecks.temporaryFolder(ServerEnvironment.read());
        var _ = new Credentials(config);
        var _ = OperatorRules.read(config);
        SandboxSettings sandboxes = SandboxSettings.of(config);
        if (config.mcp().http()) {
            ShellToolboxes.check(config, sandboxes.profiles());
        }
        accessLog(config.accessLog());
    }

    private static void accessLog(AccessLogSettings settings) {
        settings.file().ifPresent(file -> {
            Path folder = file.toAbsolutePath().getParent();
            boolean usable = Files.exists(file)
                    ? Files.isRegularFile(file) && Files.isWritable(file)
                    : folder != null && Files.isDirectory(folder) && Files.isWritable(folder);
            if (!usable) {
                throw ConfigException.failure(
                        "--access-log-file %s cannot be written; name a file that the server may append to"
                                .formatted(file));
            }
        });
    }
}
