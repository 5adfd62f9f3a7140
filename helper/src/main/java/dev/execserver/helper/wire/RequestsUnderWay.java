package dev.execserver.helper.wire;

import dev.execserver.protocol.rpc.RpcException;
import dev.execserver.sandbox.linux.LongWork;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** The requests that a helper has and has not answered, and which of them nobody waits for. Any thread; no locks. */
final class RequestsUnderWay {

    private enum State {
        WANTED,
        ABANDONED
    }

    private final Map<Long, State> states = new ConcurrentHashMap<>();

    /** It has come. */
    void begin(long number) {
        states.put(number, State.WANTED);
    }

    /** Nobody waits for it; without effect when it has been answered. */
    void abandon(long number) {
        states.computeIfPresent(number, (key, state) -> State.ABANDONED);
    }

    /**
     * Does the work of a request and forgets the request.
     *
     * @throws RpcException when nobody waits for it any more, before the work or at one of its steps
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
