package dev.execserver.server.mcp.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.execserver.protocol.rpc.MessageBuffer;
import org.junit.jupiter.api.Test;

class EventStreamTest {
    private final EventStream stream = new EventStream(3, 1, false);

    private static MessageBuffer message(String text) {
        MessageBuffer message = new MessageBuffer();
        message.ascii(text);
        return message;
    }

    @Test
    void anAnswerAloneNeedsNoStream() {
        stream.send(message("answer"));
        assertThat(stream.single()).isEmpty();
        stream.requestEnded();

        assertThat(stream.single()).isPresent();
    }

    @Test
    void aClientThatWasCutOffGoesOnBehindWhatItHas() throws InterruptedException {
        int first = stream.attach();
        stream.send(message("one"));
        assertThat(stream.after(0, first, 0).orElseThrow().id()).isEqualTo("3-1");
        stream.send(message("two"));
        assertThat(stream.after(1, first, 0).orElseThrow().id()).isEqualTo("3-2");
        int second = stream.attach();
        stream.requestEnded();

        assertThat(stream.over(1, first)).isTrue();
        assertThat(stream.after(1, second, 0).orElseThrow().id()).isEqualTo("3-2");
        assertThat(stream.over(2, second)).isTrue();
    }

    @Test
    void progressIsNotKeptForNobody() throws InterruptedException {
        stream.sendProgress(message("lost"));
        int reader = stream.attach();
        stream.sendProgress(message("told"));

        assertThat(stream.after(0, reader, 0)).isPresent();
        assertThat(stream.after(1, reader, 0)).isEmpty();
    }

    @Test
    void whatWasTakenIsForgottenInTheEnd() throws InterruptedException {
        int reader = stream.attach();
        MessageBuffer large = message("x".repeat(1_000_000));
        for (int seq = 0; seq < 5; seq++) {
            stream.send(large);
            assertThat(stream.after(seq, reader, 0)).isPresent();
        }
        assertThat(stream.after(0, stream.attach(), 0).orElseThrow().id()).isNotEqualTo("3-1");
    }
}
