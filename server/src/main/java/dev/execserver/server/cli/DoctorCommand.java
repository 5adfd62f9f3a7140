package dev.execserver.server.cli;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import dev.execserver.sandbox.probe.Finding;
import dev.execserver.sandbox.probe.HostCapabilities;
import dev.execserver.server.sandbox.LocalSandbox;
import dev.execserver.server.sandbox.SandboxSettings;
import dev.execserver.server.sandbox.StatusReport;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParseResult;

/** Prints which sandboxes this machine supports. Exit status 0 if sandboxes with namespaces can be built, else 1. */
public final class DoctorCommand implements Command {
    private static final String JSON = "--json";

    @Override
    public String name() {
        return "doctor";
    }

    @Override
    public String summary() {
        return "Examine what this machine has for sandboxes.";
    }

    @Override
    public List<String> notes() {
        return List.of("Exit status: 0 when sandboxes with namespaces can be built here; 1 when they cannot; 2 when the"
                + " command is written wrongly.");
    }

    @Override
    public CommandSpec spec() {
        CommandSpec spec = CommandSpec.create().name(Program.NAME + " doctor");
        spec.addOption(OptionSpec.builder(JSON)
                .type(boolean.class)
                .arity("0")
                .description("As one JSON object.")
                .build());
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
        if (arguments.hasMatchedOption(JSON)) {
            console.out().print(json(found) + "\n");
        } else {
            found.findings().forEach(finding -> print(finding, console));
        }
        return console.finish(found.bubblewrapWorks() ? ExitStatus.OK : ExitStatus.FAILURE);
    }

    private static void print(Finding finding, Console console) {
        console.out()
                .print("%-18s %-8s %s%n"
                        .formatted(
                                finding.layer().label(),
                                finding.status().name().toLowerCase(Locale.ROOT),
                                finding.result()));
        if (finding.status() != Finding.Status.OK) {
            console.out().print("%27s %s %s%n".formatted("", finding.meaning(), finding.remedy()));
        }
    }

    private static String json(HostCapabilities found) {
        StringWriter text = new StringWriter();
        try (JsonGenerator generator = new JsonFactory().createGenerator(text)) {
            StatusReport.of(found).writeTo(generator);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return text.toString();
    }
}
