package dev.execserver.cli.client;

import java.util.List;
import java.util.stream.Stream;

/**
 * Syntax of a command.
 *
 * @param operands words after the options, for the help; empty if none are allowed
 * @param operandsMeaning their meaning, for the help
 * @param programFollows true if the first operand ends the options: it and all later words belong to another program
 */
record Usage(List<ClientOption> options, String operands, String operandsMeaning, boolean programFollows) {
    private static final List<ClientOption> CONNECTION = List.of(
            ClientOption.SERVER,
            ClientOption.URL,
            ClientOption.TOKEN_FILE,
            ClientOption.TOKEN_COMMAND,
            ClientOption.CA_FILE,
            ClientOption.SERVER_PROGRAM);

    Usage {
        options = List.copyOf(options);
    }

    /** Returns the options that say which server is meant, and these. */
    static List<ClientOption> connected(ClientOption... more) {
        return Stream.concat(CONNECTION.stream(), Stream.of(more)).toList();
    }
}
