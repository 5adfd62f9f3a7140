package dev.execserver.client.exec;

import dev.execserver.client.error.ConnectionLostException;
import dev.execserver.client.error.ExecServerException;
import dev.execserver.client.error.RequestFailedException;
import dev.execserver.client.error.RequestTimeoutException;
import dev.execserver.client.rpc.AfterLoss;
import dev.execserver.client.rpc.Caller;
import dev.execserver.client.rpc.LinkListener;
import dev.execserver.client.transport.ClientThreads;
import dev.execserver.protocol.process.AllowApproverResult;
import dev.execserver.protocol.process.ApproveParams;
import dev.execserver.protocol.process.ApproveResult;
import dev.execserver.protocol.process.ProcessMethodNames;
import dev.execserver.protocol.rpc.ErrorCodes;
import dev.execserver.protocol.rpc.JsonWritable;
import dev.execserver.protocol.rpc.Notification;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;

/**
 * Rights to answer questions about programs for a session that one does not have. They belong to a connection, so they are used
 * again on each new one. Any thread; the map has the tokens in use.
 */
public final class Approvers implements LinkListener {

    private static final System.Logger LOG = System.getLogger(Approvers.class.getName());

    private final Map<String, Caller> used = new ConcurrentHashMap<>();

    /** Makes a right for the session of this client; needs {@code exec/allowApprover}. */
    public AllowApproverResult allow(Caller caller) throws InterruptedException {
        caller.require(ProcessMethodNames.EXEC_ALLOW_APPROVER);
        return caller.call(
                ProcessMethodNames.EXEC_ALLOW_APPROVER,
                JsonWritable.EMPTY_OBJECT,
                AfterLoss.FAIL,
                AllowApproverResult::read);
    }

    /** Uses a right; needs {@code exec/approve}. It is in use before the answer is there, because a connection can come between. */
    public ApproveResult approve(Caller caller, String token) throws InterruptedException {
        caller.require(ProcessMethodNames.EXEC_APPROVE);
        boolean first = used.put(token, caller) == null;
        boolean joined = false;
        try {
            ApproveResult result = join(caller, token);
            joined = true;
            return result;
        } finally {
            if (first && !joined) {
                used.remove(token);
            }
        }
    }

    private static ApproveResult join(Caller caller, String token) throws InterruptedException {
        return caller.call(
                ProcessMethodNames.EXEC_APPROVE, new ApproveParams(token), AfterLoss.REPEAT, ApproveResult::read);
    }

    @Override
    public void notified(Notification notification) {
        // Questions are requests.
    }

    @Override
    public void interrupted() {
        // The rights outlive the connection.
    }

    @Override
    public void resumed() {
        used.forEach((token, caller) -> ClientThreads.virtual("approver", () -> joinAgain(caller, token)));
    }

    private void joinAgain(Caller caller, String token) {
        try {
            while (used.containsKey(token) && !joinsInTime(caller, token)) {
                LOG.log(
                        System.Logger.Level.WARNING,
                        "no answer yet to the use of a right to answer questions about programs");
            }
        } catch (RequestFailedException e) {
            if (e.code() == ErrorCodes.INVALID_REQUEST) {
                used.remove(token);
            }
            LOG.log(System.Logger.Level.WARNING, "the right to answer questions about programs is gone", e);
        } catch (ExecServerException e) {
            LOG.log(System.Logger.Level.WARNING, "the right to answer questions about programs is not in use now", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static boolean joinsInTime(Caller caller, String token) throws InterruptedException {
        try {
            join(caller, token);
            return true;
        } catch (RequestTimeoutException e) {
            return false;
        }
    }

    @Override
    public void ended(Supplier<ConnectionLostException> why) {
        used.clear();
    }
}
