package dev.execserver.server.mcp;

import dev.execserver.protocol.rpc.JsonSlice;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;

/**
 * A call of a tool that is going on. The thread of the call uses it; the reader cancels it.
 */
public final class OpenCall {
    private static final Runnable NOTHING = () -> {};
    private static final Runnable CANCELLED = () -> {};

    private final Peer peer;
    private final Optional<JsonSlice> progressToken;
    private final AtomicReference<Runnable> onCancel = new AtomicReference<>(NOTHING);

    OpenCall(Peer peer, Optional<JsonSlice> progressToken) {
        this.peer = peer;
        this.progressToken = progressToken;
    }

    /** Returns the way that the call came from. */
    public Peer peer() {
        return peer;
    }

    /** Returns true if the client wants to be told about progress. */
    public boolean wantsProgress() {
        return progressToken.isPresent();
    }

    /**
     * Tells the client about progress, if it wants to be told.
     *
     * @param amount higher each time
     */
    public void progress(long amount, String message) {
        progressToken.ifPresent(token -> peer.sendProgress(Messages.notification("notifications/progress", g -> {
            g.writeStartObject();
            g.writeFieldName("progressToken");
            token.writeTo(g);
            g.writeNumberField("progress", amount);
            g.writeStringField("message", message);
            g.writeEndObject();
        })));
    }

    public boolean cancelled() {
        return onCancel.get() == CANCELLED;
    }

    /** Sets the work that ends the call, once. Runs it at once if the call was cancelled already. The work must not wait. */
    public void whenCancelled(Runnable work) {
        if (!onCancel.compareAndSet(NOTHING, work)) {
            work.run();
        }
    }

    void cancel() {
        onCancel.getAndSet(CANCELLED).run();
    }
}
