package dev.execserver.server.rpc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.execserver.protocol.rpc.Dialect;
import dev.execserver.server.transport.InMemoryTransport;
import java.lang.ref.WeakReference;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Answers that are cheap to load, and wait for memory before they can be sent. */
@Timeout(30)
class AnswerThatWaitsTest extends ServedConnection {
    private static final int BYTES = 300_000;
    private static final int CALLS = 20;

    private final Queue<WeakReference<byte[]>> loaded = new ConcurrentLinkedQueue<>();

    private Answer load() {
        byte[] content = new byte[BYTES];
        loaded.add(new WeakReference<>(content));
        return Answer.of(g -> g.writeString("x".repeat(content.length)));
    }

    @Test
    void whoWaitsForMemoryHoldsNothingThatWasLoaded() throws Exception {
        Method<?> cached = method("cached", false, new Method.FileWork() {
            @Override
            public Optional<Answer> runAtOnce() {
                return Optional.of(load());
            }

            @Override
            public Answer run() {
                throw new IllegalStateException("it is cached");
            }
        });
        serve(Dialect.OPEN, 100, List.of(cached), InMemoryTransport.pair());
        shakeHands();
        long all = memory.answers().maxBytes();
        assertThat(memory.answers().tryReserve(all)).isTrue();
        assertThat(memory.answersReserve().tryReserve(memory.answersReserve().maxBytes()))
                .isTrue();
        for (int id = 1; id <= CALLS; id++) {
            send("{\"id\":" + id + ",\"method\":\"cached\"}");
        }
        await().until(() -> loaded.size() == CALLS);
        await("nothing of it is held").until(() -> {
            System.gc();
            return loaded.stream().allMatch(content -> content.refersTo(null));
        });

        memory.answers().release(all);
        for (int id = 1; id <= CALLS; id++) {
            assertThat(receive().get("result").asText()).hasSize(BYTES);
        }
    }
}
