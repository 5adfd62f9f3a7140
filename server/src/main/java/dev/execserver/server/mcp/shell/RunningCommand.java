package dev.execserver.server.mcp.shell;

import dev.execserver.protocol.process.ReadParams;
import dev.execserver.protocol.process.ReadResult;
import dev.execserver.server.memory.AnswerMemory;
import dev.execserver.server.memory.MemoryBudget;
import dev.execserver.server.process.ManagedProcess;
import dev.execserver.server.session.Session;
import java.util.OptionalLong;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

/**
 * Command that was started.
 *
 * @param session that it belongs to
 * @param memory share for output that is read
 */
record RunningCommand(String id, ManagedProcess process, Session session, MemoryBudget memory) {

    /**
     * Reads events after {@code afterSeq}; waits for one if there is none.
     *
     * @param take receives them; its memory is released afterwards
     */
    void read(long afterSeq, long waitMs, BooleanSupplier cancelled, Consumer<ReadResult> take)
            throws InterruptedException {
        AnswerMemory reserved = new AnswerMemory(memory);
        try {
            take.accept(process.read(new ReadParams(id, afterSeq, OptionalLong.empty(), waitMs), reserved, cancelled));
        } finally {
            reserved.release();
        }
    }

    /** Kills it with all its descendants. Never waits. */
    void kill() {
        boolean _ = process.end().terminate(0);
    }

    /** Returns true if the server has forgotten it, with its output. */
    boolean forgotten() {
        return session.find(id).filter(process::equals).isEmpty();
    }
}
