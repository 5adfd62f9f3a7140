package dev.execserver.client.rpc;

/** Treatment of a request that was sent and not answered when the connection was lost. */
public enum AfterLoss {
    /** It is sent again after the session was resumed, because repeating it does no harm. */
    REPEAT,
    /** It fails with {@link dev.execserver.client.error.ConnectionLostException}: it may have been carried out. */
    FAIL
}
