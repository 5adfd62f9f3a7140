package dev.execserver.server.exec;

import dev.execserver.protocol.text.VisibleText;

/** Form in which the programs of a command are told that they do not run. */
public enum DenialForm {
    /** The program and the reason, with the exit code of a shell for what it may not execute. */
    FULL(126) {
        @Override
        String line(AskedProgram program, String reason) {
            return PREFIX + program.text() + ": " + reason;
        }

        @Override
        String forbidden(Judgement judgement) {
            return judgement
                    .justification()
                    .orElse(judgement.deciding().isPresent() ? "a rule forbids it" : "no rule allows it");
        }
    },
    /** The words and the exit code of the original shell MCP server, which tells neither the program nor the rule's reason. */
    ORIGINAL(1) {
        @Override
        String line(AskedProgram program, String reason) {
            return PREFIX + reason;
        }

        @Override
        String forbidden(Judgement judgement) {
            return "Execution forbidden by policy";
        }
    };

    private static final String PREFIX = "Execution denied: ";
    private static final int MAX_REASON = 500;

    private final int exitCode;

    DenialForm(int exitCode) {
        this.exitCode = exitCode;
    }

    /** Returns the exit code of a program that does not run. */
    int exitCode() {
        return exitCode;
    }

    /** Returns the line that a program prints which does not run. */
    String words(AskedProgram program, String why) {
        String reason = why.length() > MAX_REASON ? why.substring(0, MAX_REASON) : why;
        return VisibleText.line(line(program, reason));
    }

    abstract String line(AskedProgram program, String reason);

    /** Returns the reason for a program that the rules forbid. */
    abstract String forbidden(Judgement judgement);
}
