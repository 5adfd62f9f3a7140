package dev.execserver.client.process;

import dev.execserver.client.error.UnexpectedAnswerException;
import dev.execserver.client.error.UnsupportedFeatureException;
import dev.execserver.client.rpc.AfterLoss;
import dev.execserver.client.rpc.Caller;
import dev.execserver.protocol.environment.Capability;
import dev.execserver.protocol.process.CloseStdinParams;
import dev.execserver.protocol.process.CloseStdinResult;
import dev.execserver.protocol.process.ListResult;
import dev.execserver.protocol.process.ProcessFeatures;
import dev.execserver.protocol.process.ProcessMethodNames;
import dev.execserver.protocol.process.ReadParams;
import dev.execserver.protocol.process.ReadResult;
import dev.execserver.protocol.process.ResizeParams;
import dev.execserver.protocol.process.SignalParams;
import dev.execserver.protocol.process.StartOptions;
import dev.execserver.protocol.process.StartParams;
import dev.execserver.protocol.process.StartResult;
import dev.execserver.protocol.process.TerminateParams;
import dev.execserver.protocol.process.TerminateResult;
import dev.execserver.protocol.process.WaitParams;
import dev.execserver.protocol.process.WaitResult;
import dev.execserver.protocol.process.WriteParams;
import dev.execserver.protocol.process.WriteResult;
import dev.execserver.protocol.rpc.JsonWritable;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * Plain methods {@code process/*}, one call each. {@link RemoteProcess} uses them.
 *
 * <p>All of them throw {@link dev.execserver.client.error.RequestFailedException} if the server answers with an error,
 * {@link dev.execserver.client.error.RequestTimeoutException} after the client's request timeout,
 * {@link dev.execserver.client.error.ConnectionLostException} if the connection is lost for good,
 * {@link UnsupportedFeatureException} before anything is sent if the server lacks an addition, and
 * {@link UnexpectedAnswerException}.
 */
public final class ProcessMethods {

    private final Caller caller;

    public ProcessMethods(Caller caller) {
        this.caller = caller;
    }

    /**
     * Starts a process. If the connection is lost, the start is not repeated: it throws, and the process may run.
     *
     * <p>Output of a process without a handle is dropped; most callers want {@code ExecServerClient.start}.
     */
    public StartResult start(StartParams params) throws InterruptedException {
        requireAdditions(params.options());
        return caller.call(ProcessMethodNames.START, params, AfterLoss.FAIL, StartResult::read);
    }

    /** Returns output that the server has kept. Waits up to {@code waitMs} for more, on top of the request timeout. */
    public ReadResult read(ReadParams params) throws InterruptedException {
        return caller.callWaiting(ProcessMethodNames.READ, params, AfterLoss.REPEAT, params.waitMs(), ReadResult::read);
    }

    /**
     * Writes to stdin. No time limit: a server may answer only when the program has read. If the connection is lost, a
     * write with a {@code writeId} is repeated.
     */
    public WriteResult write(WriteParams params) throws InterruptedException {
        AfterLoss afterLoss = params.writeId().isPresent() ? AfterLoss.REPEAT : AfterLoss.FAIL;
        return caller.callWithoutLimit(ProcessMethodNames.WRITE, params, afterLoss, WriteResult::read);
    }

    /**
     * Sends a signal: {@code interrupt} works on every server, other signals need {@code process/signal}. Not repeated
     * after a loss.
     */
    public void signal(SignalParams params) throws InterruptedException {
        if (!params.signal().equals(SignalParams.INTERRUPT)) {
            caller.require(ProcessMethodNames.SIGNAL);
        }
        caller.call(ProcessMethodNames.SIGNAL, params, AfterLoss.FAIL, Caller.NOTHING);
    }

    /**
     * Kills the whole process tree. With a grace, which needs {@code graceMs}, sends SIGTERM first and kills after that
     * time.
     */
    public TerminateResult terminate(TerminateParams params) throws InterruptedException {
        if (params.graceMs().isPresent()) {
            caller.require(ProcessFeatures.GRACE);
        }
        return caller.call(ProcessMethodNames.TERMINATE, params, AfterLoss.REPEAT, TerminateResult::read);
    }

    /** Ends stdin; needs {@code process/closeStdin}. */
    public CloseStdinResult closeStdin(CloseStdinParams params) throws InterruptedException {
        caller.require(ProcessMethodNames.CLOSE_STDIN);
        return caller.call(ProcessMethodNames.CLOSE_STDIN, params, AfterLoss.REPEAT, CloseStdinResult::read);
    }

    /** Changes the size of a terminal; needs {@code process/resize}. */
    public void resize(ResizeParams params) throws InterruptedException {
        caller.require(ProcessMethodNames.RESIZE);
        caller.call(ProcessMethodNames.RESIZE, params, AfterLoss.REPEAT, Caller.NOTHING);
    }

    /**
     * Waits until a condition of a process holds, or for the limit of the params on top of the request timeout; needs {@code process/wait}.
     */
    public WaitResult await(WaitParams params) throws InterruptedException {
        caller.require(ProcessMethodNames.WAIT);
        return caller.callWaiting(
                ProcessMethodNames.WAIT, params, AfterLoss.REPEAT, params.limitMs(), WaitResult::read);
    }

    /** Returns the processes of the session; needs {@code process/list}. */
    public ListResult list() throws InterruptedException {
        caller.require(ProcessMethodNames.LIST);
        return caller.call(ProcessMethodNames.LIST, JsonWritable.EMPTY_OBJECT, AfterLoss.REPEAT, ListResult::read);
    }

    /** Ends a process that may or may not have been started, as soon as there is a connection. Does not wait. */
    void terminateLater(String processId) {
        terminateLater(processId, Optional.empty());
    }

    /** Does the same, with a grace before the kill where the server knows one. */
    void terminateLater(String processId, Optional<Duration> grace) {
        OptionalLong graceMs = grace.isPresent() && caller.features().contains(ProcessFeatures.GRACE)
                ? OptionalLong.of(grace.get().toMillis())
                : OptionalLong.empty();
        caller.send(ProcessMethodNames.TERMINATE, new TerminateParams(processId, graceMs));
    }

    void requireCapability(Capability capability) {
        caller.require(capability);
    }

    /** Returns the traits of the server. A server that has any addition also reports dropped output. */
    ServerTraits traits() {
        return new ServerTraits(
                caller.features().contains(ProcessFeatures.PUSH),
                !caller.features().isEmpty(),
                caller.hasSessions());
    }

    private void requireAdditions(StartOptions options) {
        if (options.size().isPresent()) {
            caller.require(ProcessFeatures.SIZE);
        }
        if (options.timeoutMs().isPresent()) {
            caller.require(ProcessFeatures.TIMEOUT);
        }
        if (options.idleTimeoutMs().isPresent()) {
            caller.require(ProcessFeatures.IDLE_TIMEOUT);
        }
        if (options.closeGraceMs().isPresent()) {
            caller.require(ProcessFeatures.CLOSE_GRACE);
        }
        if (options.execPolicy().isPresent()) {
            caller.require("execPolicy");
        }
        if (!options.push()) {
            caller.require(ProcessFeatures.PUSH);
        }
    }
}
