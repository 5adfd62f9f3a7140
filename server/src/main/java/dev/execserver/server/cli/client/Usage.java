package dev.execserver.server.cli.client;

import java.util.List;

/**
 * How a command is written.
 *
 * @param operands what follows the options, for the help; empty when nothing may follow
 * @param programFollows the first operand ends the options: it and all after it belong to another program
 */
record Usage(List<ClientOption> options, String operands, boolean programFollows) {
    Usage {
        options = List.copyOf(options);
    }
}
