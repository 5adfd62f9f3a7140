package dev.execserver.client.process;

/**
 * Behaviour of a server towards the output of processes.
 *
 * @param polled true if the server has {@code push}: all output is read, and pushed output is ignored
 * @param declaresDrops true if the server reports dropped output
 * @param numbersClose true if the close has a sequence number of its own, as in all eras but the first
 */
record ServerTraits(boolean polled, boolean declaresDrops, boolean numbersClose) {}
