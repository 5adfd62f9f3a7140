package dev.execserver.cli.client;

import java.util.List;
import picocli.CommandLine;

/** Command lines read by picocli. */
final class PicocliReading {
    private PicocliReading() {}

    static Arguments of(Usage usage, List<String> line) {
        CommandLine commandLine = new CommandLine(PicocliArguments.spec("test", usage));
        return PicocliArguments.given(usage, commandLine.parseArgs(line.toArray(String[]::new)));
    }
}
