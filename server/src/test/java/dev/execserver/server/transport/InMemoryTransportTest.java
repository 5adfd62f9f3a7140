package dev.execserver.server.transport;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.execserver.protocol.rpc.MessageBuffer;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(value = 10, unit = TimeUnit.SECONDS)
class InMemoryTransportTest {
    @Test
    void whatOneEndWritesTheOtherReads() throws Exception {
        InMemoryTransport.Pair pair = InMemoryTransport.pair();
        pair.client().send("question");
        assertThat(pair.server().read().orElseThrow().bytes()).isEqualTo("question".getBytes(StandardCharsets.UTF_8));
        MessageBuffer answer = new MessageBuffer();
        answer.ascii("answer");
        pair.server().write(List.of(answer, answer), 2);
        answer.reset();
        assertThat(pair.client().receive()).contains("answer");
        assertThat(pair.client().receive()).contains("answer");
    }

    @Test
    void fullPeerBlocksTheWriterUntilItReadsOrTheEndIsClosed() throws Exception {
        InMemoryTransport.Pair pair = InMemoryTransport.pair(1);
        pair.client().send("1");
        CompletableFuture<String> second = new CompletableFuture<>();
        CompletableFuture<String> third = new CompletableFuture<>();
        Thread.startVirtualThread(() -> {
            try {
                pair.client().send("2");
                second.complete("sent");
                pair.client().send("3");
            } catch (IOException e) {
                third.complete(e.getMessage());
            }
        });
        assertThat(second).isNotDone();
        assertThat(pair.server().receive()).contains("1");
        assertThat(second.get(5, TimeUnit.SECONDS)).isEqualTo("sent");
        pair.server().close(CloseReason.NORMAL);
        assertThat(third.get(5, TimeUnit.SECONDS)).isEqualTo("connection is closed");
    }

    @Test
    void whatWasDeliveredCanBeReadAfterTheEnd() throws Exception {
        InMemoryTransport.Pair pair = InMemoryTransport.pair();
        pair.server().write(new MessageBuffer());
        pair.server().close(CloseReason.GOING_AWAY);
        assertThat(pair.client().receive()).contains("");
        assertThat(pair.client().receive()).isEmpty();
        assertThat(pair.client().closed()).contains(CloseReason.GOING_AWAY);
        assertThatThrownBy(() -> pair.client().send("x")).hasMessage("connection is closed");
    }
}
