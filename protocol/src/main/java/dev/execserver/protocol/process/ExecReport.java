package dev.execserver.protocol.process;

import dev.execserver.protocol.rpc.JsonWritable;

/** Report about a program that a command executes. */
public sealed interface ExecReport extends JsonWritable permits ExecDecidedNotification, ExecEndedNotification {
    String processId();

    /** Returns the number of the report: those of a process count together, from 1, and a gap shows that some were dropped. */
    long seq();

    /** Returns the number of the exec, unique in its process. */
    long execId();
}
