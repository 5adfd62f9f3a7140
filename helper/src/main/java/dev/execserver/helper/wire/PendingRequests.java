package dev.execserver.helper.wire;

import dev.execserver.protocol.rpc.RpcException;
import dev.execserver.sandbox.linux.LongWork;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** The requests that are not answered yet, and which of them the server has abandoned. Any thread; no locks. */
final class PendingRequests {

    private enum State {
        WANTED,
        ABANDONED
    }

    private final Map<Long, State> states = new ConcurrentHashMap<>();

    /** Registers a request. */
    void begin(long number) {
        states.put(number, State.WANTED);
    }

    /** Marks a request as abandoned. No effect if it was answered already. */
    void abandon(long number) {
        states.computeIfPresent(number, (key, state) -> State.ABANDONED);
    }

    /**
     * Runs the work of a request, then forgets the request.
     *
     * @throws RpcException when the request was abandoned, before the work or at one of its steps
     */
    void run(long number, Runnable work) {
        try {
            requireWanted(number);
            LongWork.watched(() -> requireWanted(number), work);
        } catch (LongWork.AbandonedException e) {
            throw RpcException.internal(e.getMessage());
        } finally {
            states.remove(number);
        }
    }

    private void requireWanted(long number) {
        if (states.get(number) == State.ABANDONED) {
            throw new LongWork.AbandonedException();
        }
    }
}
