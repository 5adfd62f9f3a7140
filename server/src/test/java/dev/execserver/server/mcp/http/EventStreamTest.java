package dev.execserver.server.mcp.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.execserver.protocol.rpc.MessageBuffer;
import org.junit.jupiter.api.Test;

class EventStreamTest {
    private static final int SMALL = (int) KeptMessages.MAX_SMALL_BYTES;
    private static final int LARGE = SMALL + 1;
    private static final int ROOM = 3 * LARGE;

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
        assertThat(stream.trySend(message("x".repeat(LARGE)))).isFalse();
        assertThat(share.bytes()).isEqualTo(ROOM);

        stream.send(message("it is said so in any case"));
        assertThat(share.bytes()).isGreaterThan(ROOM);
    }

    @Test
    void aSmallAnswerIsKeptInAnyCase() {
        assertThat(stream.trySend(message("x".repeat(ROOM)))).isTrue();
        assertThat(stream.trySend(message("x".repeat(SMALL)))).isTrue();
        assertThat(share.bytes()).isEqualTo(ROOM + SMALL);
    }

    @Test
    void aSessionLeavesRoomToOthers() {
        EventStream greedy = new EventStream(4, share.part(LARGE), 1, false);
        assertThat(greedy.trySend(message("x".repeat(LARGE)))).isTrue();
        assertThat(greedy.trySend(message("x".repeat(LARGE)))).isFalse();
        assertThat(share.bytes()).isEqualTo(LARGE);

        assertThat(stream.trySend(message("x".repeat(LARGE)))).isTrue();
        greedy.end();
        assertThat(share.bytes()).isEqualTo(LARGE);
    }

    @Test
    void whatTheWholeHasNoRoomForIsNotCountedInASession() {
        KeptMessages own = share.part(ROOM);
        assertThat(stream.trySend(message("x".repeat(ROOM)))).isTrue();
        assertThat(new EventStream(4, own, 1, false).trySend(message("x".repeat(LARGE))))
                .isFalse();
        assertThat(own.bytes()).isZero();
        assertThat(share.bytes()).isEqualTo(ROOM);
    }

    @Test
    void whereASessionIsShortItForgetsWhatNobodyReads() {
        KeptMessages own = share.part(LARGE);
        EventStream left = new EventStream(4, own, 1, false);
        EventStream next = new EventStream(5, own, 1, false);
        own.whenShort(_ -> {
            if (left.left()) {
                left.forget();
            }
        });
        int reader = left.attach();
        assertThat(left.trySend(message("x".repeat(LARGE)))).isTrue();
        left.requestEnded();
        assertThat(next.trySend(message("x".repeat(LARGE))))
                .as("a reader is there")
                .isFalse();
        left.detach(reader);

        assertThat(next.trySend(message("x".repeat(LARGE)))).isTrue();
        assertThat(share.bytes()).isEqualTo(LARGE);
    }

    @Test
    void anAnswerOfOneByteMoreThanTheRoomIsNotKept() {
        assertThat(stream.trySend(message("x".repeat(ROOM + 1)))).isFalse();
        assertThat(share.bytes()).isZero();
    }

    @Test
    void whatWasReadIsForgottenWhereRoomIsShort() throws InterruptedException {
        EventStream other = new EventStream(4, share, 1, false);
        share.whenShort(_ -> {
            if (stream.read()) {
                stream.forget();
            }
        });
        assertThat(stream.trySend(message("x".repeat(ROOM)))).isTrue();
        int reader = stream.attach();
        stream.requestEnded();
        assertThat(other.trySend(message("u".repeat(LARGE)))).as("unread").isFalse();
        assertThat(stream.after(0, reader, 0)).isPresent();
        assertThat(other.trySend(message("w".repeat(LARGE))))
                .as("being written")
                .isFalse();
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
