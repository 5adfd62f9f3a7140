package dev.execserver.server.cli.client;

import dev.execserver.protocol.process.ExecPolicyParams;
import dev.execserver.protocol.process.ExecPolicyParams.RulesText;
import dev.execserver.server.config.ConfigException;
import dev.execserver.server.rules.RuleFileException;
import dev.execserver.server.rules.RuleFiles;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Rules files of this machine that go with a start. Stateless. */
final class RulesToSend {
    private RulesToSend() {}

    /**
     * Returns the files as a policy.
     *
     * @throws ConfigException when one of them cannot be read or is no rules file; the server would refuse it too
     */
    static ExecPolicyParams of(List<String> files) {
        List<RulesText> texts = new ArrayList<>();
        RuleFiles checked = new RuleFiles();
        for (String file : files) {
            try {
                String text = RuleFiles.read(Path.of(file));
                checked.add(file, text);
                texts.add(new RulesText(file, text));
            } catch (RuleFileException e) {
                throw ConfigException.failure(ClientOption.EXEC_RULES.longName() + ": " + e.describe());
            }
        }
        return ExecPolicyParams.NONE.withRules(texts, List.of());
    }
}
