package dev.execserver.cli.client;

import java.util.List;

/**
 * Syntax of a command.
 *
 * @param operands words after the options, for the help; empty if none are allowed
 * @param operandsMeaning their meaning, for the help
 * @param programFollows true if the first operand ends the options: it and all later words belong to another program
 */
record Usage(List<ClientOption> options, String operands, String operandsMeaning, boolean programFollows) {
    Usage {
        options = List.copyOf(options);
    }
}
