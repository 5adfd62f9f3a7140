package dev.execserver.helper.wire;

/**
 * Request by which the server tells the helper that nobody waits for the answer to an earlier request. Its id is the
 * number of that request. It has no answer of its own. The earlier request is still answered, as soon as its work
 * notices.
 */
public final class CancelMethod {

    public static final String NAME = "abandon";

    private CancelMethod() {}
}
