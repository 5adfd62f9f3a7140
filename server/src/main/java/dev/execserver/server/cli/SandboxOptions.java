package dev.execserver.server.cli;

import dev.execserver.cli.local.LocalFile;
import dev.execserver.server.sandbox.NamedProfiles;
import dev.execserver.server.sandbox.SandboxSettings;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParseResult;

/** Options that the sandbox commands share. */
final class SandboxOptions {
    static final String BWRAP = "--bwrap";
    static final String STATE_DIR = "--state-dir";
    static final String NO_PROC = "--no-proc";

    private SandboxOptions() {}

    static OptionSpec bubblewrap() {
        return OptionSpec.builder(BWRAP)
                .type(String.class)
                .arity("1")
                .paramLabel("PATH")
                .description(
                        "The bubblewrap program, instead of the first usable one on the PATH, or else the one that came"
                                + " with it.")
                .build();
    }

    static Optional<Path> stateDirectory(ParseResult arguments) {
        return Optional.ofNullable(arguments.<String>matchedOptionValue(STATE_DIR, null))
                .map(path -> Path.of(path).toAbsolutePath());
    }

    static SandboxSettings settings(ParseResult arguments) {
        Optional<Path> bubblewrap = arguments.hasMatchedOption(BWRAP)
                ? Optional.of(LocalFile.of((String) arguments.matchedOptionValue(BWRAP, ""))
                        .toAbsolutePath())
                : Optional.empty();
        boolean mountProc = arguments.commandSpec().findOption(NO_PROC) == null || !arguments.hasMatchedOption(NO_PROC);
        return new SandboxSettings(
                bubblewrap,
                true,
                mountProc,
                false,
                List.of(),
                SandboxSettings.ofThisUser(),
                SandboxSettings.ofThisProgram(),
                false,
                Optional.empty(),
                false,
                NamedProfiles.BUILT_IN_ONLY);
    }
}
