package dev.execserver.client.process;

/**
 * What a server does about the output of processes.
 *
 * @param polled it has {@code push}: all output is read, and pushed output is ignored
 * @param declaresDrops it says so when output is gone
 * @param numbersClose the close has a sequence number of its own, as in all eras but the first
 */
record ServerTraits(boolean polled, boolean declaresDrops, boolean numbersClose) {}
