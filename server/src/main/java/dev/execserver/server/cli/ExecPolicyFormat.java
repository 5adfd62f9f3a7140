package dev.execserver.server.cli;

import dev.execserver.cli.Console;
import dev.execserver.cli.ExitStatus;
import dev.execserver.cli.local.ConfigException;
import dev.execserver.cli.local.FileErrors;
import dev.execserver.protocol.text.VisibleText;
import dev.execserver.server.rules.RuleFileException;
import dev.execserver.server.rules.RuleFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Lays rules files out, in place. Stateless. */
final class ExecPolicyFormat {
    static final String CHECK = "--check";

    private ExecPolicyFormat() {}

    /** @param arguments files and folders; with {@code --check} nothing is written */
    static int run(List<String> arguments, Console console) {
        List<String> places = new ArrayList<>(arguments);
        boolean check = places.removeIf(CHECK::equals);
        int failures = 0;
        int changed = 0;
        for (Path file : ExecPolicyCommand.rulesFiles(places)) {
            try {
                if (format(file, check)) {
                    changed++;
                    console.out().println(VisibleText.line(file + (check ? ": would be changed" : ": changed")));
                }
            } catch (RuleFileException failure) {
                failures++;
                console.errorLines(failure.describe());
            }
        }
        return console.finish(failures > 0 || (check && changed > 0) ? ExitStatus.FAILURE : ExitStatus.OK);
    }

    /** Returns true if the file has another layout. */
    private static boolean format(Path file, boolean check) {
        String text = RuleFiles.read(file);
        String made = RuleFiles.format(file.toString(), text);
        if (made.equals(text)) {
            return false;
        }
        if (!check) {
            try {
                Files.writeString(file, made);
            } catch (IOException e) {
                throw ConfigException.failure("%s cannot be written: %s".formatted(file, FileErrors.text(e)));
            }
        }
        return true;
    }
}
