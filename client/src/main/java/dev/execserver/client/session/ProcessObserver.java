package dev.execserver.client.session;

import dev.execserver.client.process.ProcessMethods;
import dev.execserver.protocol.process.ReadResult;
import dev.execserver.protocol.process.WaitCondition;
import dev.execserver.protocol.process.WaitParams;
import dev.execserver.protocol.process.WaitResult;
import dev.execserver.protocol.session.ObserveParams;
import dev.execserver.protocol.session.ObserveResult;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * Observer of one process: sees its output and its end, and changes nothing. An observer that is slow passes over output instead of holding
 * the process up, and is told how much. One thread.
 */
public final class ProcessObserver {

    private final SessionMethods sessions;
    private final ProcessMethods processes;
    private final String sessionId;
    private final String processId;
    private final Backlog backlog;
    private long cursor;
    private long position;
    private boolean begun;
    private boolean ended;

    ProcessObserver(
            SessionMethods sessions, ProcessMethods processes, String sessionId, String processId, Backlog backlog) {
        this.sessions = sessions;
        this.processes = processes;
        this.sessionId = sessionId;
        this.processId = processId;
        this.backlog = backlog;
    }

    /**
     * Output that an observer has seen.
     *
     * @param skippedBytes bytes between the last sight and this one that were passed over; at the begin those before the first
     * @param output chunks, and the exit if the process has exited
     */
    public record Sight(long skippedBytes, ReadResult output) {}

    /** Waits up to the limit for something new. Returns a sight without chunks if there is nothing. */
    public Sight next(Duration limit) throws InterruptedException {
        OptionalLong lastBytes = begun ? backlog.behindBytes() : backlog.lastBytes();
        ObserveResult answer = sessions.observe(new ObserveParams(
                sessionId, processId, cursor, lastBytes, OptionalLong.empty(), begun ? limit.toMillis() : 0));
        long skipped = Math.max(0, answer.offset() - position);
        begun = true;
        position = answer.endOffset();
        cursor = answer.output().nextSeq() - 1;
        ended = answer.output().closed();
        return new Sight(skipped, answer.output());
    }

    /** Returns true if the process has exited and all its output was seen. */
    public boolean ended() {
        return ended;
    }

    /** Waits until the condition holds, as {@link dev.execserver.client.process.RemoteProcess#waitFor(WaitCondition, Duration)} does. */
    public WaitResult waitFor(WaitCondition condition, Duration limit) throws InterruptedException {
        return processes.await(new WaitParams(processId, Optional.of(sessionId), condition, 0, limit.toMillis()));
    }
}
