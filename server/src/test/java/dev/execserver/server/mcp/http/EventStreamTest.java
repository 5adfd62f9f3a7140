package dev.execserver.server.mcp.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.execserver.protocol.rpc.MessageBuffer;
import org.junit.jupiter.api.Test;

class EventStreamTest {
    private static final int ROOM = 100;

    private final KeptMessages share = new KeptMessages(ROOM);
    private final EventStream stream = new EventStream(3, share, 1, false);

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

    @Test
    void anAnswerThatHasNoRoomIsNotKept() {
        assertThat(stream.trySend(message("x".repeat(ROOM)))).isTrue();
        assertThat(stream.trySend(message("x"))).isFalse();
        assertThat(share.bytes()).isEqualTo(ROOM);

        stream.send(message("it is said so in any case"));
        assertThat(share.bytes()).isGreaterThan(ROOM);
    }

    @Test
    void anAnswerOfOneByteMoreThanTheRoomIsNotKept() {
        assertThat(stream.trySend(message("x".repeat(ROOM + 1)))).isFalse();
        assertThat(share.bytes()).isZero();
    }

    @Test
    void whatWasReadIsForgottenWhereRoomIsShort() throws InterruptedException {
        EventStream other = new EventStream(4, share, 1, false);
        share.whenShort(() -> {
            if (stream.read()) {
                stream.forget();
            }
        });
        assertThat(stream.trySend(message("x".repeat(ROOM)))).isTrue();
        int reader = stream.attach();
        stream.requestEnded();
        assertThat(other.trySend(message("unread"))).isFalse();
        assertThat(stream.after(0, reader, 0)).isPresent();
        assertThat(other.trySend(message("being written"))).isFalse();
        stream.detach(reader);

        assertThat(other.trySend(message("y".repeat(ROOM)))).isTrue();
        other.end();
        assertThat(share.bytes()).isZero();
    }

    @Test
    void aReaderGetsWhatIsForgottenMeanwhile() throws InterruptedException {
        int reader = stream.attach();
        stream.send(message("one"));
        stream.forget();

        assertThat(stream.after(0, reader, 0)).isPresent();
        stream.detach(reader);
        assertThat(share.bytes()).isZero();
    }
}
