package dev.execserver.server.sandbox;

import dev.execserver.cli.local.ServersPlace;
import dev.execserver.sandbox.paths.LinuxPath;
import dev.execserver.sandbox.paths.SecondMounts;
import dev.execserver.sandbox.resolve.ServerPaths;
import dev.execserver.server.config.Auth;
import dev.execserver.server.config.ListenUrl;
import dev.execserver.server.config.Platform;
import dev.execserver.server.config.ServerConfig;
import dev.execserver.server.config.Tls;
import dev.execserver.server.environment.Installation;
import dev.execserver.server.environment.ServerEnvironment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The operator's settings of sandboxes.
 *
 * @param bubblewrap program to use instead of the one in the PATH
 * @param isolatePids true if commands get a PID namespace
 * @param mountProc true if commands get a /proc
 * @param forceLandlock true if Landlock is used even where bubblewrap works
 * @param secrets files that no sandboxed command may see
 * @param settings files with settings of this server or the next one, which no sandboxed command may change
 * @param installation files and directories that this server or the next one runs from
 * @param required true if every request must be sandboxed
 * @param floor limit of every request
 * @param namedClients true if clients may have floors of their own
 * @param profiles that clients can name
 */
public record SandboxSettings(
        Optional<Path> bubblewrap,
        boolean isolatePids,
        boolean mountProc,
        boolean forceLandlock,
        List<LinuxPath> secrets,
        List<LinuxPath> settings,
        List<LinuxPath> installation,
        boolean required,
        Optional<FloorProfile> floor,
        boolean namedClients,
        NamedProfiles profiles) {
    public SandboxSettings {
        secrets = List.copyOf(secrets);
        settings = List.copyOf(settings);
        installation = List.copyOf(installation);
    }

    /** @throws dev.execserver.cli.local.ConfigException if the file of the floor cannot be read */
    public static SandboxSettings of(ServerConfig config) {
        List<LinuxPath> secrets = new ArrayList<>();
        switch (config.listen().auth()) {
            case Auth.TokenFile(Path file) -> secrets.add(path(file));
            case Auth.SignedBearer bearer -> secrets.add(path(bearer.secretFile()));
            case Auth.NamedClients _, Auth.None _, Auth.TokenDigest _ -> {}
        }
        config.listen().tls().map(Tls::key).map(SandboxSettings::path).ifPresent(secrets::add);
        for (ListenUrl url : Stream.concat(config.listen().urls().stream(), config.management().listen().stream())
                .toList()) {
            if (url.place() instanceof ListenUrl.Unix(Path socket)) {
                secrets.add(path(socket));
            }
        }
        config.paths().stateDirectory().map(SandboxSettings::path).ifPresent(secrets::add);
        config.accessLog().file().map(SandboxSettings::path).ifPresent(secrets::add);
        List<LinuxPath> settings = new ArrayList<>();
        if (config.listen().auth() instanceof Auth.NamedClients(Path file)) {
            settings.add(path(file));
        }
        config.listen().tls().flatMap(Tls::clientCa).map(SandboxSettings::path).ifPresent(settings::add);
        config.listen().tls().map(Tls::certificate).map(SandboxSettings::path).ifPresent(settings::add);
        config.paths().configFile().map(SandboxSettings::path).ifPresent(settings::add);
        config.paths().profiles().map(SandboxSettings::path).ifPresent(settings::add);
        config.paths().execRules().stream().map(SandboxSettings::path).forEach(settings::add);
        config.mcp().rules().stream().map(SandboxSettings::path).forEach(settings::add);
        config.mcp().missingRules().stream().map(SandboxSettings::path).forEach(settings::add);
        config.mcp().profileFile().map(SandboxSettings::path).ifPresent(settings::add);
        settings.addAll(ofThisUser());
        List<LinuxPath> installation = new ArrayList<>(ofThisProgram());
        config.paths().helperJar().map(SandboxSettings::path).ifPresent(installation::add);
        config.paths().bubblewrap().map(SandboxSettings::path).ifPresent(installation::add);
        Platform platform = config.platform();
        NamedProfiles profiles =
                new NamedProfiles(config.paths().profiles(), config.paths().defaultProfile());
        return new SandboxSettings(
                config.paths().bubblewrap(),
                platform.pidNamespace() == Platform.PidNamespace.ISOLATE,
                platform.sandbox().proc(),
                platform.sandbox().backend() == Platform.SandboxBackend.LANDLOCK,
                secrets,
                settings,
                installation,
                platform.sandbox().required(),
                platform.sandbox().floor().map(value -> FloorProfile.of(value, profiles)),
                config.listen().auth() instanceof Auth.NamedClients,
                profiles);
    }

    /**
     * Returns the paths that no sandboxed command may see or change under any profile.
     *
     * @param folders those that hold nothing else
     */
    ServerPaths reserved(List<LinuxPath> hidden, ServerPaths.Folders folders) {
        return new ServerPaths(hidden, SecondMounts.with(unchanged()), SecondMounts.with(installation), folders);
    }

    /** Returns the files that say what the server allows. */
    List<LinuxPath> unchanged() {
        List<LinuxPath> unchanged = new ArrayList<>(settings);
        floor.flatMap(FloorProfile::source).map(FloorProfile.Source::path).ifPresent(unchanged::add);
        return unchanged;
    }

    /**
     * Returns the files of this user that name programs for client commands, which run outside of every sandbox. One that does not
     * exist yet is not protected. Touches files.
     */
    public static List<LinuxPath> ofThisUser() {
        return ServersPlace.of(ServerEnvironment.read()).filter(Files::exists).map(SandboxSettings::path).stream()
                .toList();
    }

    /** Returns the paths of the distribution and of the Java that this program runs from. */
    public static List<LinuxPath> ofThisProgram() {
        return Installation.parts().stream().map(SandboxSettings::path).toList();
    }

    private static LinuxPath path(Path file) {
        return LinuxPath.of(file.toAbsolutePath().toString());
    }
}
