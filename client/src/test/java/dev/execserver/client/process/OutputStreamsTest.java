package dev.execserver.client.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.execserver.protocol.process.OutputChunk;
import dev.execserver.protocol.process.StreamKind;
import java.io.IOException;
import java.io.InputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class OutputStreamsTest {
    private static final int LARGEST = Math.toIntExact(OutputStreams.MAX_AHEAD_BYTES - emptyCost());

    private final EventSequence events = new EventSequence(0, new ServerTraits(false, false, true), 4 << 20);
    private final OutputStreams streams = new OutputStreams(events, false);
    private final InputStream out = streams.stream(StreamKind.STDOUT);
    private final InputStream err = streams.stream(StreamKind.STDERR);

    /** What one chunk costs beside its bytes. */
    private static long emptyCost() {
        StreamBacklog held = new StreamBacklog();
        held.add(new OutputChunk(1, StreamKind.STDOUT, new byte[1]));
        return held.cost() - 1;
    }

    private void chunk(long seq, StreamKind stream, int bytes) {
        events.offer(new OutputChunk(seq, stream, new byte[bytes]));
    }

    @Test
    void asMuchAsIsAllowedIsHeldForTheOtherReader() throws IOException {
        chunk(1, StreamKind.STDERR, LARGEST);
        chunk(2, StreamKind.STDOUT, 1);
        assertThat(out.available()).isEqualTo(1);
        assertThat(out.read()).isZero();
        assertThat(err.available()).isEqualTo(LARGEST);
    }

    @Test
    void behindThatNothingIsTakenUntilTheOtherReaderReads() throws IOException {
        chunk(1, StreamKind.STDERR, LARGEST + 1);
        chunk(2, StreamKind.STDOUT, 1);
        assertThat(out.available()).isZero();
        assertThat(err.read()).isZero();
        assertThat(out.available()).isEqualTo(1);
    }

    @Test
    void manyShortPiecesCountForTheMemoryThatTheyTake() throws IOException {
        StreamBacklog held = new StreamBacklog();
        int pieces = 0;
        while (held.cost() <= OutputStreams.MAX_AHEAD_BYTES) {
            held.add(new OutputChunk(++pieces, StreamKind.STDERR, new byte[1]));
            chunk(pieces, StreamKind.STDERR, 1);
        }
        assertThat(pieces).isLessThan(OutputStreams.MAX_AHEAD_BYTES / 32);
        chunk(pieces + 1L, StreamKind.STDOUT, 1);
        assertThat(out.available()).isZero();
        assertThat(err.read()).isZero();
        assertThat(out.available()).isEqualTo(1);
    }

    @Test
    void aReaderThatWaitsGetsItsOutputThoughTheOtherStreamIsNotRead() throws IOException {
        chunk(1, StreamKind.STDERR, LARGEST + 1);
        chunk(2, StreamKind.STDOUT, 1);
        assertThat(out.read()).isZero();
        assertThat(err.available()).isEqualTo(LARGEST + 1);
    }

    @Test
    void aStreamThatIsNotReadAtAllEndsWithAnErrorBehindTheLimit() throws IOException {
        StreamBacklog held = new StreamBacklog();
        int piece = 1 << 20;
        int pieces = 0;
        while (held.cost() + piece + emptyCost() <= StreamBacklog.MAX_BYTES) {
            held.add(new OutputChunk(++pieces, StreamKind.STDERR, new byte[piece]));
        }
        held.add(new OutputChunk(++pieces, StreamKind.STDERR, new byte[piece]));
        held.add(new OutputChunk(++pieces, StreamKind.STDERR, new byte[1]));

        byte[] target = new byte[piece];
        for (int i = 0; i < pieces - 2; i++) {
            assertThat(held.read(target, 0, piece)).isEqualTo(piece);
        }
        assertThatExceptionOfType(IOException.class)
                .isThrownBy(() -> held.read(target, 0, piece))
                .withMessageContaining("were not read");
    }
}
