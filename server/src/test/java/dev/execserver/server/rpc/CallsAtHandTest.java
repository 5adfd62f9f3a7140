package dev.execserver.server.rpc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.execserver.protocol.rpc.Dialect;
import dev.execserver.protocol.rpc.RpcException;
import dev.execserver.server.transport.CloseReason;
import dev.execserver.server.transport.InMemoryTransport;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Tests calls that the connection's reader thread runs itself, because their answers are ready. */
@Timeout(30)
class CallsAtHandTest extends ServedConnection {

    private final ConcurrentLinkedQueue<String> threads = new ConcurrentLinkedQueue<>();
    private final CountDownLatch hanging = new CountDownLatch(1);

    private Method<?> atHand(String name, Supplier<Optional<Answer>> answer) {
        return atHand(name, answer, () -> answer.get().orElseGet(() -> text("late")));
    }

    /** @param later the answer of a thread that may wait */
    private Method<?> atHand(String name, Supplier<Optional<Answer>> answer, Supplier<Answer> later) {
        return method(name, false, new Method.Work() {
            @Override
            public boolean mayBeAtHand() {
                return true;
            }

            @Override
            public Optional<Answer> runAtOnce() {
                threads.add(nameOfThread());
                return answer.get();
            }

            @Override
            public Answer run() {
                threads.add(nameOfThread());
                return later.get();
            }
        });
    }

    /** The thread that serves the connection at first; one that takes over has the same name. */
    private String nameOfThread() {
        Thread now = Thread.currentThread();
        return now == served ? "reader" : now.getName();
    }

    private static Answer text(String text) {
        return Answer.of(g -> g.writeString(text));
    }

    private Optional<Answer> hang() {
        running.incrementAndGet();
        while (true) {
            try {
                hanging.await();
                return Optional.of(text("hung"));
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        }
    }

    private void serve(InMemoryTransport.Pair pair) throws IOException {
        serve(
                Dialect.OPEN,
                100,
                List.of(
                        atHand("near", () -> Optional.of(text("near"))),
                        atHand("far", Optional::empty),
                        atHand("no", () -> {
                            throw RpcException.invalidParams("no");
                        }),
                        atHand("bug", () -> {
                            throw new IllegalStateException("a bug");
                        }),
                        atHand("no class", () -> {
                            throw new NoClassDefFoundError("gone");
                        }),
                        atHand("large", () -> Optional.of(text("x".repeat(3 << 20))), () -> text("late")),
                        atHand("hangs", this::hang)),
                pair);
        shakeHands();
        answersItself("reader");
        threads.clear();
    }

    /**
     * Calls until the reader thread has run one itself. It may not run the first ones: an answer may arrive before its
     * writer is done, and after a long call the reader only reads for a while.
     */
    private void answersItself(String reader) throws IOException {
        for (int tries = 0; tries < 100 * ReaderHandover.STAYS && !threads.contains(reader); tries++) {
            assertThat(result("near")).isEqualTo("near");
        }
        assertThat(threads).contains(reader);
    }

    private void serve() throws IOException {
        serve(InMemoryTransport.pair());
    }

    private String result(String method) throws IOException {
        return ask("{\"id\":1,\"method\":\"" + method + "\"}").get("result").asText();
    }

    @Test
    void anAnswerAtHandIsGivenByTheReader() throws IOException {
        serve();
        assertThat(result("near")).isEqualTo("near");
        assertThat(threads).containsExactly("reader");
    }

    @Test
    void whatIsNotAtHandIsDoneOnAThreadOfItsOwn() throws IOException {
        serve();
        assertThat(result("far")).isEqualTo("late");
        assertThat(threads).containsExactly("reader", "request");
    }

    @Test
    void failuresOfTheReaderAreAnsweredAndTheConnectionStays() throws IOException {
        serve();
        assertThat(ask("{\"id\":1,\"method\":\"no\"}").at("/error/code").asInt())
                .isEqualTo(-32602);
        assertThat(ask("{\"id\":2,\"method\":\"bug\"}").at("/error/code").asInt())
                .isEqualTo(-32603);
        assertThat(result("near")).isEqualTo("near");
    }

    @Test
    void theReaderDoesNotWaitForMemory() throws IOException {
        serve();
        memory.answers().reserve(memory.answers().maxBytes() - (1 << 20));
        send("{\"id\":1,\"method\":\"large\"}");
        await().until(() -> threads.contains("request"));
        memory.answers().release(memory.answers().maxBytes() - (1 << 20));
        assertThat(receive().get("result").asText()).isEqualTo("late");
    }

    @Test
    void theReaderDoesNotWaitForTheMemoryOfAnErrorEither() throws IOException {
        serve();
        memory.answers().reserve(memory.answers().maxBytes());
        memory.answersReserve().reserve(memory.answersReserve().maxBytes());
        send("{\"id\":\"" + "a".repeat(4000) + "\",\"method\":\"no\"}");
        await().until(() -> threads.contains("request"));
        memory.answers().release(memory.answers().maxBytes());
        assertThat(receive().at("/error/code").asInt()).isEqualTo(-32602);
    }

    @Test
    void anErrorOfTheMachineIsAnAnswerToo() throws IOException {
        serve();
        assertThat(ask("{\"id\":1,\"method\":\"no class\"}").at("/error/code").asInt())
                .isEqualTo(-32603);
        await().until(() -> memory.received().usedBytes() == 0);
    }

    @Test
    void whatTheCallsHeldIsGivenBack() throws IOException {
        serve();
        for (int i = 0; i < 3 * ReaderHandover.MESSAGES_IN_A_ROW; i++) {
            assertThat(result("near")).isEqualTo("near");
        }
        await().until(() -> memory.received().usedBytes() == 0);
        assertThat(memory.answers().usedBytes()).isZero();
    }

    @Test
    void aControlCallIsHeardWhileTheReaderHangsInACallOfItsOwn() throws IOException {
        serve();
        send("{\"id\":1,\"method\":\"hangs\"}");
        await().until(() -> running.get() == 1);
        assertThat(ask("{\"id\":2,\"method\":\"urgent\"}").get("id").asInt()).isEqualTo(2);
        answersItself("conn-1-reader");
        hanging.countDown();
        assertThat(receive().get("result").asText()).isEqualTo("hung");
        assertThat(result("near")).isEqualTo("near");
        assertThat(threads).startsWith("reader");
        assertThat(threads.stream().skip(1)).doesNotContain("reader"); // it no longer reads
    }

    /** Blocks the reader: two answers fit into the pipe, and it waits with the third. */
    private void stuckReader() throws IOException {
        serve(InMemoryTransport.pair(2));
        for (int id = 1; id <= 8; id++) {
            send("{\"id\":" + id + ",\"method\":\"near\"}");
        }
        send("{\"id\":9,\"method\":\"slow\"}");
        await().until(() -> running.get() == 1); // the message was read
    }

    @Test
    void aPeerThatDoesNotReadIsHeardAndEveryAnswerReachesItInTheEnd() throws IOException {
        stuckReader();
        release.countDown();
        List<Integer> ids = new ArrayList<>();
        for (int id = 1; id <= 9; id++) {
            ids.add(receive().get("id").asInt());
        }
        assertThat(ids).containsExactlyInAnyOrder(1, 2, 3, 4, 5, 6, 7, 8, 9);
        await().until(() -> memory.received().usedBytes() == 0);
    }

    @Test
    void theConnectionEndsThoughTheThreadThatServedItFirstIsWriting() throws Exception {
        stuckReader();
        assertThat(served.isAlive()).isTrue();
        client.close(CloseReason.NORMAL);
        served.join();
    }
}
