package dev.execserver.server.cli.client;

import java.util.List;

/**
 * How a command is written.
 *
 * @param operands what follows the options, for the help; empty when nothing may follow
 * @param operandsMeaning what they are, for the help
 * @param programFollows the first operand ends the options: it and all after it belong to another program
 */
record Usage(List<ClientOption> options, String operands, String operandsMeaning, boolean programFollows) {
    Usage {
        options = List.copyOf(options);
    }
}
