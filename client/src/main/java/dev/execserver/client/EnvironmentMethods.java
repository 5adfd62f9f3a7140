package dev.execserver.client;

import dev.execserver.client.rpc.AfterLoss;
import dev.execserver.client.rpc.Caller;
import dev.execserver.protocol.environment.EnvironmentInfo;
import dev.execserver.protocol.environment.EnvironmentMethodNames;
import dev.execserver.protocol.environment.EnvironmentStatus;
import dev.execserver.protocol.rpc.JsonWritable;

/** Methods {@code environment/*}. Errors are those of {@link dev.execserver.client.process.ProcessMethods}. */
public final class EnvironmentMethods {

    private final Caller caller;

    EnvironmentMethods(Caller caller) {
        this.caller = caller;
    }

    /** Returns the server's description of its host; servers of the first two eras may not know the method. */
    public EnvironmentInfo info() throws InterruptedException {
        return caller.call(
                EnvironmentMethodNames.INFO, JsonWritable.EMPTY_OBJECT, AfterLoss.REPEAT, EnvironmentInfo::read);
    }

    /** Returns the status of the server at once; a health check. */
    public EnvironmentStatus status() throws InterruptedException {
        return caller.call(
                EnvironmentMethodNames.STATUS, JsonWritable.EMPTY_OBJECT, AfterLoss.REPEAT, EnvironmentStatus::read);
    }
}
