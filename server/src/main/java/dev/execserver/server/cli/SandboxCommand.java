package dev.execserver.server.cli;

import dev.execserver.cli.Command;
import dev.execserver.cli.Console;
import dev.execserver.cli.ExitStatus;
import dev.execserver.cli.local.ConfigException;
import dev.execserver.cli.local.LocalFile;
import dev.execserver.cli.rules.ExecTrace;
import dev.execserver.cli.rules.RulesToSend;
import dev.execserver.protocol.net.NetworkProxySettings;
import dev.execserver.protocol.net.ProxyChange;
import dev.execserver.protocol.net.ProxyMode;
import dev.execserver.protocol.paths.PathUri;
import dev.execserver.protocol.permissions.PermissionProfile;
import dev.execserver.protocol.permissions.SandboxContext;
import dev.execserver.protocol.process.ExecPolicyParams;
import dev.execserver.protocol.process.ManagedNetwork;
import dev.execserver.protocol.rpc.JsonSlice;
import dev.execserver.protocol.rpc.RpcException;
import dev.execserver.sandbox.linux.Errno;
import dev.execserver.sandbox.linux.LinuxException;
import dev.execserver.sandbox.paths.PolicyRefusedException;
import dev.execserver.sandbox.plan.SandboxRefusedException;
import dev.execserver.sandbox.spawn.ProgramLookup;
import dev.execserver.server.config.LogLevel;
import dev.execserver.server.environment.EnvironmentProbe;
import dev.execserver.server.sandbox.CommandProfile;
import dev.execserver.server.sandbox.LocalNetwork;
import dev.execserver.server.sandbox.LocalSandbox;
import dev.execserver.server.sandbox.NamedProfiles;
import dev.execserver.server.sandbox.ProfileFile;
import dev.execserver.server.sandbox.ProgramNotRunException;
import java.io.IOException;
import java.nio.file.Files;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.PositionalParamSpec;
import picocli.CommandLine.ParseResult;

/**
 * Runs one command in the sandbox that a server would build, on the streams of this program. The exit status is that of
 * the command. It is 127 if there is no such program, 126 if it cannot be executed, 1 for other failures.
 */
public final class SandboxCommand implements Command {
    private static final String PROFILE = "--profile";
    private static final String PROFILES = "--profiles";
    private static final String CWD = "--cwd";
    private static final String LANDLOCK = "--use-legacy-landlock";
    private static final String MANAGED_NETWORK = "--managed-network";
    private static final String TRACE = "--trace-exec";
    private static final String NETWORK = "--network";
    private static final String TRANSPARENT_TCP = "--transparent-tcp";
    private static final String OBSERVE = "observe";

    /** Variable by which the reference's command-line runner tells programs that they have no network. */
    private static final String NETWORK_DISABLED = "CODEX_SANDBOX_NETWORK_DISABLED";

    private static final String READ_ONLY = """
            {"type":"managed","network":"restricted","file_system":{"type":"restricted","entries":[\
            {"path":{"type":"special","value":{"kind":"root"}},"access":"read"}]}}""";

    @Override
    public String name() {
        return "sandbox";
    }

    @Override
    public String summary() {
        return "Run a command here in the sandbox that a server would build for it.";
    }

    @Override
    public List<String> notes() {
        return List.of("Exit status: that of the command; 127 when there is none of this name and 126 when it cannot be"
                + " executed; 1 for other failures; 2 when this one is written wrongly.");
    }

    @Override
    public CommandSpec spec() {
        CommandSpec spec = CommandSpec.create().name(Program.NAME + " sandbox");
        spec.parser().stopAtPositional(true);
        spec.addOption(value(
                PROFILE,
                "JSON|FILE|NAME",
                "Permission profile: text, a file (written with a slash), or a name. Default: everything may be read,"
                        + " nothing written, no network."));
        spec.addOption(
                value(PROFILES, "FILE", "File with more profiles that can be named, as the option of the server."));
        spec.addOption(value(CWD, "DIR", "Working directory and workspace. Default: the current directory."));
        spec.addOption(value(
                MANAGED_NETWORK,
                "JSON",
                "No network but the loopback proxies of HTTP_PROXY and the like. {} for no further conditions; members: "
                        + "loopbackPorts, allowUnixSockets, dangerouslyAllowAllUnixSockets."));
        spec.addOption(OptionSpec.builder(RulesToSend.OPTION)
                .type(List.class)
                .auxiliaryTypes(String.class)
                .arity("1")
                .paramLabel("FILE")
                .description(
                        "Rules for the programs that the command executes; may be given several times. What they ask about"
                                + " is asked on the terminal; without one it is denied.")
                .build());
        spec.addOption(flag(TRACE, "Show at the end which programs were executed, with times and refusals."));
        spec.addOption(value(
                NETWORK,
                "observe|JSON|FILE",
                "No network but a proxy of its own. JSON with the allowed hosts: {\"domains\":{\"a.example:443\":\"allow\"}}; "
                        + "observe lets all hosts of the Internet through and prints such a JSON at the end."));
        spec.addOption(flag(TRANSPARENT_TCP, "Serve programs that know no proxy too. With --network."));
        spec.addOption(flag(SandboxOptions.NO_PROC, "Leave /proc empty."));
        spec.addOption(flag(LANDLOCK, "Use Landlock instead of bubblewrap."));
        spec.addOption(SandboxOptions.bubblewrap());
        spec.addOption(value(
                SandboxOptions.STATE_DIR, "PATH", "Folder for what is needed while it runs; no command sees it."));
        spec.addPositional(PositionalParamSpec.builder()
                .paramLabel("[--] COMMAND [ARGUMENT...]")
                .description("What to run; looked up in the PATH.")
                .hideParamSyntax(true)
                .arity("1..*")
                .type(List.class)
                .auxiliaryTypes(String.class)
                .build());
        return spec;
    }

    private static OptionSpec value(String name, String label, String meaning) {
        return OptionSpec.builder(name)
                .type(String.class)
                .arity("1")
                .paramLabel(label)
                .description(meaning)
                .build();
    }

    private static OptionSpec flag(String name, String meaning) {
        return OptionSpec.builder(name)
                .type(boolean.class)
                .arity("0")
                .description(meaning)
                .build();
    }

    @Override
    public int run(ParseResult arguments, Console console) {
        Logging.configure(LogLevel.DEFAULT);
        List<String> argv =
                arguments.commandSpec().positionalParameters().getFirst().stringValues();
        if (argv.isEmpty()) {
            throw ConfigException.usage(
                    "no command is named; write exec-server sandbox [OPTIONS] [--] COMMAND [ARGUMENT...]");
        }
        PathUri cwd = EnvironmentProbe.uri(Optional.<String>ofNullable(arguments.matchedOptionValue(CWD, null))
                .map(name -> LocalFile.of(name).toAbsolutePath())
                .orElseGet(LocalFile::workingDirectory)
                .normalize());
        int noDirectory = ProgramLookup.checkDirectory(cwd.bytes());
        if (noDirectory != 0) {
            throw ConfigException.failure("the working directory of %s %s cannot be used: %s; give one that exists"
                    .formatted(CWD, cwd.display(), Errno.text(noDirectory)));
        }
        NamedProfiles profiles = new NamedProfiles(
                Optional.<String>ofNullable(arguments.matchedOptionValue(PROFILES, null))
                        .map(LocalFile::of),
                NamedProfiles.READ_ONLY);
        CommandProfile chosen = ProfileFile.known(PROFILE, arguments.matchedOptionValue(PROFILE, READ_ONLY), profiles);
        PermissionProfile profile = chosen.permissions();
        SandboxContext plain = SandboxContext.of(profile, cwd);
        SandboxContext context = new SandboxContext(
                plain.permissions(),
                plain.cwd(),
                plain.workspaceRoots(),
                plain.userHomeDir(),
                plain.temporaryDirectories(),
                plain.windowsSandboxLevel(),
                arguments.hasMatchedOption(LANDLOCK));
        Optional<LocalNetwork> network = network(arguments, chosen.proxy(), console);
        Map<String, String> environment = new HashMap<>(console.environment());
        environment.remove(NETWORK_DISABLED);
        if (restrictsNetwork(profile)) {
            environment.put(NETWORK_DISABLED, "1");
        }
        boolean traced = arguments.hasMatchedOption(TRACE);
        Optional<ExecPolicyParams> policy =
                RulesToSend.of(arguments.matchedOptionValue(RulesToSend.OPTION, List.of()), traced);
        ExecTrace trace = new ExecTrace();
        try (SandboxSignals signals = SandboxSignals.arm()) {
            LocalSandbox.Command command = new LocalSandbox.Command(
                    context,
                    cwd,
                    environment,
                    network,
                    policy.map(rules -> new LocalSandbox.Programs(rules, new TerminalApprovals(trace::add))),
                    argv);
            int status;
            try (LocalSandbox sandbox =
                    new LocalSandbox(SandboxOptions.settings(arguments), SandboxOptions.stateDirectory(arguments))) {
                status = sandbox.run(command, signals);
            } finally {
                if (traced) {
                    trace.lines().forEach(console::note);
                }
            }
            signals.finished(status);
            return status;
        } catch (ProgramNotRunException e) {
            console.error(e.getMessage());
            return e.missing() ? ExitStatus.NOT_FOUND : ExitStatus.NOT_EXECUTABLE;
        } catch (SandboxRefusedException | PolicyRefusedException | LinuxException e) {
            throw ConfigException.failure("failed to prepare process sandbox: " + e.getMessage());
        }
    }

    /** @param ofProfile rules of the proxy that the named profile brings with it */
    private static Optional<LocalNetwork> network(
            ParseResult arguments, Optional<NetworkProxySettings> ofProfile, Console console) {
        if (ofProfile.isPresent()
                && (arguments.hasMatchedOption(NETWORK) || arguments.hasMatchedOption(MANAGED_NETWORK))) {
            throw ConfigException.usage("the profile of " + PROFILE + " has rules for hosts; leave " + NETWORK + " and "
                    + MANAGED_NETWORK + " out");
        }
        Optional<ManagedNetwork> managed = Optional.ofNullable(
                        arguments.<String>matchedOptionValue(MANAGED_NETWORK, null))
                .map(SandboxCommand::network);
        Optional<NetworkProxySettings> proxy = Optional.ofNullable(arguments.<String>matchedOptionValue(NETWORK, null))
                .map(SandboxCommand::settings)
                .or(() -> ofProfile);
        boolean transparent = arguments.hasMatchedOption(TRANSPARENT_TCP);
        if (transparent && proxy.isEmpty()) {
            throw ConfigException.usage(
                    TRANSPARENT_TCP + " requires a managed network proxy; give it one with " + NETWORK);
        }
        if (managed.isEmpty() && proxy.isEmpty()) {
            return Optional.empty();
        }
        return Optional.of(new LocalNetwork(
                managed.orElse(ManagedNetwork.DEFAULT),
                transparent ? proxy.map(NetworkProxySettings::transparent) : proxy,
                observed -> tell(
                        observed,
                        proxy.filter(settings -> settings.mode() == ProxyMode.OBSERVE)
                                .isPresent(),
                        console)));
    }

    private static void tell(ProxyChange observed, boolean wanted, Console console) {
        if (wanted && observed.domains().isEmpty()) {
            console.note("exec-server: no host was reached that needs a rule");
        } else if (wanted) {
            console.note("exec-server: hosts that were reached, for " + NETWORK + ":");
            console.note(observed.json());
        }
    }

    private static NetworkProxySettings settings(String given) {
        if (given.equals(OBSERVE)) {
            return NetworkProxySettings.of(Map.of(), ProxyMode.OBSERVE);
        }
        try {
            String json = given.stripLeading().startsWith("{") ? given : Files.readString(LocalFile.of(given));
            ProxyChange wanted = ProxyChange.read(JsonSlice.of(json));
            return NetworkProxySettings.of(wanted);
        } catch (IOException e) {
            throw ConfigException.failure("the file of %s cannot be read: %s; give %s, a JSON object or a file with one"
                    .formatted(NETWORK, e, OBSERVE));
        } catch (RpcException e) {
            throw ConfigException.failure(NETWORK + " cannot be read: " + e.message());
        }
    }

    private static ManagedNetwork network(String json) {
        try {
            return ManagedNetwork.read(JsonSlice.of(json));
        } catch (RpcException e) {
            throw ConfigException.failure(MANAGED_NETWORK + " cannot be read: " + e.message());
        }
    }

    private static boolean restrictsNetwork(PermissionProfile profile) {
        return switch (profile) {
            case PermissionProfile.Managed managed -> !managed.network().enabled();
            case PermissionProfile.External external -> !external.network().enabled();
            case PermissionProfile.Disabled _ -> false;
        };
    }
}
