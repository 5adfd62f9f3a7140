package dev.execserver.cli.rules;

import dev.execserver.cli.local.ConfigException;
import dev.execserver.cli.local.FileErrors;
import dev.execserver.cli.local.LocalFile;
import dev.execserver.cli.local.TextFile;
import dev.execserver.protocol.process.ExecPolicyParams;
import dev.execserver.protocol.process.ExecPolicyParams.Report;
import dev.execserver.protocol.process.ExecPolicyParams.RulesText;
import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Rules files of this machine that a command line names. Who gets them reads the rules. Stateless; blocks. */
public final class RulesToSend {
    public static final String OPTION = "--exec-rules";

    /** Longest file in bytes. The readers of rules take no longer one. */
    private static final int MAX_BYTES = 4_000_000;

    private RulesToSend() {}

    /**
     * Returns the files as a policy; empty if nothing is wanted of it.
     *
     * @param traced true if all decisions are to be reported
     * @throws ConfigException when one of them cannot be read
     */
    public static Optional<ExecPolicyParams> of(List<String> files, boolean traced) {
        return files.isEmpty() && !traced
                ? Optional.empty()
                : Optional.of(read(files).withReport(traced ? Report.ALL : Report.NONE));
    }

    private static ExecPolicyParams read(List<String> files) {
        List<RulesText> texts = new ArrayList<>();
        for (String file : files) {
            try {
                texts.add(new RulesText(file, TextFile.read(LocalFile.of(file), MAX_BYTES)));
            } catch (CharacterCodingException e) {
                throw unreadable(file, "stream did not contain valid UTF-8");
            } catch (IOException e) {
                throw unreadable(file, FileErrors.text(e));
            }
        }
        return ExecPolicyParams.NONE.withRules(texts, List.of());
    }

    private static ConfigException unreadable(String file, String why) {
        return ConfigException.failure(OPTION + ": failed to read policy at " + file + ": " + why);
    }
}
