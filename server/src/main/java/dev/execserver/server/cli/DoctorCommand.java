package dev.execserver.server.cli;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import dev.execserver.cli.Command;
import dev.execserver.cli.Console;
import dev.execserver.cli.ExitStatus;
import dev.execserver.protocol.environment.SandboxStatus;
import dev.execserver.sandbox.probe.Finding.Status;
import dev.execserver.sandbox.probe.HostCapabilities;
import dev.execserver.server.config.Option;
import dev.execserver.server.config.Options;
import dev.execserver.server.config.ServerConfig;
import dev.execserver.server.sandbox.LocalSandbox;
import dev.execserver.server.sandbox.SandboxSettings;
import dev.execserver.server.sandbox.StatusReport;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParseResult;

/** Prints which sandboxes this machine supports, and if it has what a server with the settings needs. */
public final class DoctorCommand implements Command {
    private static final String JSON = "--json";
    /** Exit status if something could be better. */
    private static final int WARNED = 3;

    private final Consumer<ServerConfig> check;

    /** @param check reads the files that a configuration names; throws {@code ConfigException} if one cannot be used */
    public DoctorCommand(Consumer<ServerConfig> check) {
        this.check = check;
    }

    @Override
    public String name() {
        return "doctor";
    }

    @Override
    public String summary() {
        return "Examine what this machine has for sandboxes and for a server.";
    }

    @Override
    public List<String> notes() {
        return List.of(
                "The settings of the server come from --config and the environment.",
                "Exit status: 0 when nothing is wrong; 3 when something could be better; 1 when sandboxes with namespaces cannot"
                        + " be built, or a server with the settings would not work; 2 when the command is written wrongly.");
    }

    @Override
    public CommandSpec spec() {
        CommandSpec spec = CommandSpec.create().name(Program.NAME + " doctor");
        spec.addOption(OptionSpec.builder(JSON)
                .type(boolean.class)
                .arity("0")
                .description("As one JSON object.")
                .build());
        spec.addOption(OptionTable.spec(Options.CONFIG, List.of(Options.CONFIG.longName())));
        spec.addOption(SandboxOptions.bubblewrap());
        return spec;
    }

    @Override
    public int run(ParseResult arguments, Console console) {
        SandboxSettings settings = SandboxOptions.settings(arguments);
        HostCapabilities found;
        try (LocalSandbox sandbox = new LocalSandbox(settings, Optional.empty())) {
            found = sandbox.examine(console.environment());
        }
        List<CheckResult> ofTheServer = new ArrayList<>(MachineChecks.all());
        ofTheServer.addAll(ConfigurationChecks.all(given(arguments), console.environment(), check));
        List<CheckResult> ofSandboxes =
                found.findings().stream().map(CheckResult::of).toList();
        if (arguments.hasMatchedOption(JSON)) {
            console.out().print(json(found, ofTheServer) + "\n");
        } else {
            ofSandboxes.forEach(result -> print(result, console));
            ofTheServer.forEach(result -> print(result, console));
        }
        return console.finish(status(found.bubblewrapWorks(), ofSandboxes, ofTheServer));
    }

    private static Map<Option<?>, String> given(ParseResult arguments) {
        return OptionTable.value(arguments, Options.CONFIG, Options.CONFIG.longName())
                .<Map<Option<?>, String>>map(file -> Map.of(Options.CONFIG, file))
                .orElse(Map.of());
    }

    /** A part of the sandboxes may be missing and another one take its place: that is no more than a warning. */
    private static int status(boolean sandboxes, List<CheckResult> ofSandboxes, List<CheckResult> ofTheServer) {
        if (!sandboxes || ofTheServer.stream().anyMatch(result -> result.status() == Status.MISSING)) {
            return ExitStatus.FAILURE;
        }
        boolean good = ofSandboxes.stream().allMatch(result -> result.status() == Status.OK)
                && ofTheServer.stream().allMatch(result -> result.status() == Status.OK);
        return good ? ExitStatus.OK : WARNED;
    }

    private static void print(CheckResult result, Console console) {
        console.out().print("%-18s %-8s %s%n".formatted(result.subject(), result.statusWord(), result.result()));
        if (result.status() != Status.OK) {
            console.out().print("%27s %s %s%n".formatted("", result.meaning(), result.remedy()));
        }
    }

    private static String json(HostCapabilities found, List<CheckResult> more) {
        SandboxStatus status = StatusReport.of(found);
        List<SandboxStatus.Finding> all = new ArrayList<>(status.findings());
        more.forEach(result -> all.add(result.reported()));
        StringWriter text = new StringWriter();
        try (JsonGenerator generator = new JsonFactory().createGenerator(text)) {
            new SandboxStatus(status.bubblewrap(), status.landlock(), status.warnings(), all).writeTo(generator);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return text.toString();
    }
}
