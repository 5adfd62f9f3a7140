package dev.execserver.client.rpc;

/** What becomes of a request that was sent and not answered when the connection was lost. */
public enum AfterLoss {
    /** Sent again after the session was resumed: repeating it does no harm. */
    REPEAT,
    /** Fails with {@link dev.execserver.client.error.ConnectionLostException}: it may have been carried out. */
    FAIL
}
