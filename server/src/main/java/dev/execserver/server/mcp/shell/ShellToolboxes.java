package dev.execserver.server.mcp.shell;

import dev.execserver.cli.local.ConfigException;
import dev.execserver.protocol.permissions.SandboxContext;
import dev.execserver.server.access.AccessLog;
import dev.execserver.server.concurrent.FileWorkers;
import dev.execserver.server.config.Mcp;
import dev.execserver.server.config.ServerConfig;
import dev.execserver.server.exec.ExecStyle;
import dev.execserver.server.mcp.ClientAccess;
import dev.execserver.server.mcp.ClientTraits;
import dev.execserver.server.mcp.Toolbox;
import dev.execserver.server.memory.MemoryBudget;
import dev.execserver.server.process.start.ProcessStarter;
import dev.execserver.server.sandbox.NamedProfiles;
import dev.execserver.server.sandbox.Sandboxes;
import dev.execserver.server.session.SessionRegistry;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.function.BiFunction;

/** Makes the tools of each client. Any thread; immutable. */
public final class ShellToolboxes implements BiFunction<ClientTraits, ClientAccess, Toolbox> {
    private static final List<Path> SHELLS =
            List.of(Path.of("/bin/bash"), Path.of("/usr/bin/bash"), Path.of("/bin/sh"));

    private final ShellServices services;

    /**
     * Reads the files that the settings name.
     *
     * @param sandboxes has the profiles that can be named, and the floor
     * @param memory share for output that is being answered
     * @param access log of what ran
     * @throws ConfigException when one of them cannot be used
     */
    public ShellToolboxes(
            ServerConfig config,
            SessionRegistry sessions,
            Sandboxes sandboxes,
            ProcessStarter starter,
            FileWorkers files,
            MemoryBudget memory,
            AccessLog access) {
        Mcp settings = config.mcp();
        ToolForm form = ToolForm.of(settings.form());
        services = new ShellServices(
                sessions,
                starter,
                files,
                memory,
                access,
                shell(settings),
                new ExecStyle(settings.wrapper(), settings.wholePaths(), form.denials()),
                form,
                StandardProfile.of(
                        settings,
                        sandboxes.profiles(),
                        sandboxes.floor().ofServer().map(SandboxContext::permissions)),
                new RulesSource(settings.rules()));
    }

    /**
     * Reads the files that the settings name, and does nothing else.
     *
     * @param profiles that can be named
     * @throws ConfigException when one of them cannot be used
     */
    public static void check(ServerConfig config, NamedProfiles profiles) {
        var _ = shell(config.mcp());
        var _ = StandardProfile.of(config.mcp(), profiles, Optional.empty());
        var _ = new RulesSource(config.mcp().rules());
    }

    private static Path shell(Mcp settings) {
        settings.shell().ifPresent(path -> requireProgram("shell", path));
        settings.wrapper().ifPresent(path -> requireProgram("wrapper", path));
        return settings.shell()
                .or(() -> SHELLS.stream().filter(Files::isExecutable).findFirst())
                .orElse(SHELLS.getLast());
    }

    private static void requireProgram(String what, Path path) {
        if (!Files.isExecutable(path)) {
            throw ConfigException.failure("the " + what + " " + path + " is no program that can be executed");
        }
    }

    @Override
    public Toolbox apply(ClientTraits traits, ClientAccess access) {
        return new ShellTools(services, traits, access);
    }
}
