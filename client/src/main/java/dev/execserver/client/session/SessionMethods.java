package dev.execserver.client.session;

import dev.execserver.client.process.ProcessMethods;
import dev.execserver.client.rpc.AfterLoss;
import dev.execserver.client.rpc.Caller;
import dev.execserver.protocol.rpc.JsonWritable;
import dev.execserver.protocol.session.ObserveParams;
import dev.execserver.protocol.session.ObserveResult;
import dev.execserver.protocol.session.SessionInfo;
import dev.execserver.protocol.session.SessionListResult;
import dev.execserver.protocol.session.SessionMethodNames;
import java.util.List;

/**
 * Methods {@code session/list} and {@code session/observe}. Errors are those of {@link ProcessMethods}. Stateless.
 */
public final class SessionMethods {

    private final Caller caller;
    private final ProcessMethods processes;

    public SessionMethods(Caller caller, ProcessMethods processes) {
        this.caller = caller;
        this.processes = processes;
    }

    /** Returns the sessions of the same principal, the oldest first; needs {@code session/list}. */
    public List<SessionInfo> list() throws InterruptedException {
        caller.require(SessionMethodNames.LIST);
        return caller.call(
                        SessionMethodNames.LIST, JsonWritable.EMPTY_OBJECT, AfterLoss.REPEAT, SessionListResult::read)
                .sessions();
    }

    /** Looks once at the output of a process; waits up to {@code waitMs} for more. Needs {@code session/observe}. */
    public ObserveResult observe(ObserveParams params) throws InterruptedException {
        caller.require(SessionMethodNames.OBSERVE);
        return caller.callWaiting(
                SessionMethodNames.OBSERVE, params, AfterLoss.REPEAT, params.waitMs(), ObserveResult::read);
    }

    /** Makes an observer of a process of any session of the same principal. Sends nothing yet. */
    public ProcessObserver observer(String sessionId, String processId, Backlog backlog) {
        return new ProcessObserver(this, processes, sessionId, processId, backlog);
    }
}
