package dev.execserver.client.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class BodyInputTest {
    private static final int LARGEST = Math.toIntExact(BodyInput.MAX_WAITING_BYTES - BodyInput.PIECE_BYTES);

    private final AtomicInteger cancelled = new AtomicInteger();
    private final BodyInput body = new BodyInput(cancelled::incrementAndGet);

    @Test
    void asManyBytesAsAreAllowedWaitAndNotOneMore() throws IOException {
        body.add(new byte[LARGEST]);
        assertThat(cancelled).hasValue(0);
        assertThat(body.available()).isEqualTo(LARGEST);

        body.add(new byte[1]);
        assertThat(cancelled).hasValue(1);
        assertThat(body.readNBytes(LARGEST)).hasSize(LARGEST);
        assertThatThrownBy(body::read)
                .isInstanceOf(IOException.class)
                .hasMessage("more than " + BodyInput.MAX_WAITING_BYTES + " bytes of the body wait to be read");
    }

    @Test
    void aPieceOfOneByteMoreIsRefused() {
        body.add(new byte[LARGEST + 1]);
        assertThat(cancelled).hasValue(1);
        assertThat(body.available()).isZero();
        assertThatThrownBy(body::read).hasMessageContaining("wait to be read");
    }

    @Test
    void shortPiecesCountForTheMemoryThatTheyTake() throws IOException {
        long most = BodyInput.MAX_WAITING_BYTES / (1 + BodyInput.PIECE_BYTES);
        for (long i = 0; i < most; i++) {
            body.add(new byte[1]);
        }
        assertThat(cancelled).hasValue(0);
        assertThat(body.read()).isZero();
        body.add(new byte[1]);
        assertThat(cancelled).as("one was read").hasValue(0);
        body.add(new byte[1]);
        assertThat(cancelled).hasValue(1);
    }

    @Test
    void c101_theServersReasonIsOneLine() {
        body.end(Optional.of("boom \u001b[2J\nforged\u202e"));
        assertThatThrownBy(body::read).hasMessage("boom \\x1b[2J forged\\u202e");
    }
}
