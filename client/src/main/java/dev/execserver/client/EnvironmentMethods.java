package dev.execserver.client;

import dev.execserver.client.rpc.AfterLoss;
import dev.execserver.client.rpc.Caller;
import dev.execserver.protocol.environment.EnvironmentInfo;
import dev.execserver.protocol.environment.EnvironmentMethodNames;
import dev.execserver.protocol.environment.EnvironmentStatus;
import dev.execserver.protocol.rpc.JsonWritable;

/** The {@code environment/*} methods. Errors are those of {@link dev.execserver.client.process.ProcessMethods}. */
public final class EnvironmentMethods {

    private final Caller caller;

    EnvironmentMethods(Caller caller) {
        this.caller = caller;
    }

    /** What the server tells of its host; servers of the first two eras may not know the method. */
    public EnvironmentInfo info() throws InterruptedException {
        return caller.call(
                EnvironmentMethodNames.INFO, JsonWritable.EMPTY_OBJECT, AfterLoss.REPEAT, EnvironmentInfo::read);
    }

    /** Answers at once; a health check. */
    public EnvironmentStatus status() throws InterruptedException {
        return caller.call(
                EnvironmentMethodNames.STATUS, JsonWritable.EMPTY_OBJECT, AfterLoss.REPEAT, EnvironmentStatus::read);
    }
}
