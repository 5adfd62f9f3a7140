package dev.execserver.server.cli.rules;

import dev.execserver.protocol.process.ExecPolicyParams;
import dev.execserver.protocol.process.ExecPolicyParams.Report;
import dev.execserver.protocol.process.ExecPolicyParams.RulesText;
import dev.execserver.server.config.ConfigException;
import dev.execserver.server.rules.RuleFileException;
import dev.execserver.server.rules.RuleFiles;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Rules files of this machine that a command line names. Stateless. */
public final class RulesToSend {
    public static final String OPTION = "--exec-rules";

    private RulesToSend() {}

    /**
     * Returns the files as a policy; empty if nothing is wanted of it.
     *
     * @param traced true if all decisions are to be reported
     * @throws ConfigException when one of them cannot be read or is no rules file; the server would refuse it too
     */
    public static Optional<ExecPolicyParams> of(List<String> files, boolean traced) {
        return files.isEmpty() && !traced
                ? Optional.empty()
                : Optional.of(read(files).withReport(traced ? Report.ALL : Report.NONE));
    }

    private static ExecPolicyParams read(List<String> files) {
        List<RulesText> texts = new ArrayList<>();
        RuleFiles checked = new RuleFiles();
        for (String file : files) {
            try {
                String text = RuleFiles.read(Path.of(file));
                checked.add(file, text);
                texts.add(new RulesText(file, text));
            } catch (RuleFileException e) {
                throw ConfigException.failure(OPTION + ": " + e.describe());
            }
        }
        return ExecPolicyParams.NONE.withRules(texts, List.of());
    }
}
