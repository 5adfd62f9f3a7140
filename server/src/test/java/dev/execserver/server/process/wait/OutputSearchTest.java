package dev.execserver.server.process.wait;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.execserver.protocol.process.OutputChunk;
import dev.execserver.protocol.process.StreamKind;
import dev.execserver.protocol.rpc.RpcException;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class OutputSearchTest {

    private static OutputChunk chunk(StreamKind stream, String text) {
        return new OutputChunk(1, stream, text.getBytes(UTF_8));
    }

    private static OutputChunk out(String text) {
        return chunk(StreamKind.STDOUT, text);
    }

    private static Optional<String> next(OutputSearch search, OutputChunk... chunks) {
        return search.next(List.of(chunks), () -> false).map(OutputSearch.Found::text);
    }

    @Test
    void aMatchMaySpanPiecesButNotStreams() {
        OutputSearch search = OutputSearch.text("ready");
        assertThat(next(search, out("re"))).isEmpty();
        assertThat(next(search, chunk(StreamKind.STDERR, "ady"))).isEmpty();
        assertThat(next(search, out("ady"))).contains("ready");
    }

    @Test
    void aCharacterMaySpanPieces() {
        OutputSearch search = OutputSearch.text("ü");
        byte[] bytes = "ü".getBytes(UTF_8);
        assertThat(next(search, new OutputChunk(1, StreamKind.STDOUT, new byte[] {bytes[0]})))
                .isEmpty();
        assertThat(next(search, new OutputChunk(2, StreamKind.STDOUT, new byte[] {bytes[1]})))
                .contains("ü");
    }

    @Test
    void bytesThatAreNoTextHarmNothing() {
        OutputSearch search = OutputSearch.text("x");
        assertThat(next(search, new OutputChunk(1, StreamKind.STDOUT, new byte[] {(byte) 0xff, (byte) 0xc3, 'x'})))
                .contains("x");
    }

    @Test
    void theBeginOfALineIsOneAlsoBehindMuchOutput() {
        OutputSearch search = OutputSearch.regex("^b+$");
        for (int i = 0; i < 100; i++) {
            assertThat(next(search, out("a".repeat(777)))).isEmpty();
            assertThat(next(search, out("abb\n"))).isEmpty();
        }
        assertThat(next(search, out("bbb\n"))).contains("bbb");
    }

    @Test
    void aLongMatchIsToldInPart() {
        Optional<String> found = next(OutputSearch.regex("x+"), out("x".repeat(3000)));
        assertThat(found.orElseThrow()).hasSize(1000);
    }

    @Test
    void aPatternThatTriesAllWaysIsGivenUp() {
        assertThatThrownBy(() -> next(OutputSearch.regex("(x+x+)+y"), out("x".repeat(4000))))
                .isInstanceOf(RpcException.class)
                .hasMessageContaining("too many steps");
        assertThatThrownBy(() -> next(OutputSearch.regex("(a|b)*c"), out("ab".repeat(4000))))
                .isInstanceOf(RpcException.class)
                .hasMessageContaining("too many steps");
    }

    @Test
    void theEndOfAPieceIsNotTheEndOfTheText() {
        OutputSearch search = OutputSearch.regex("^done$");
        assertThat(next(search, out("done"))).isEmpty();
        assertThat(next(search, out("wnload failed\n"))).isEmpty();
        assertThat(next(search, out("done"))).isEmpty();
        assertThat(next(search, out("\n"))).contains("done");
    }

    @Test
    void theEndOfAStreamIsTheEndOfTheText() {
        OutputSearch search = OutputSearch.regex("^done$");
        assertThat(next(search, out("not\n"), chunk(StreamKind.STDERR, "done"))).isEmpty();
        assertThat(search.end()).contains(new OutputSearch.Found("done", 1));
        assertThat(OutputSearch.regex("^done$").end()).isEmpty();
    }

    @Test
    void whatIsBeforeAGapIsNotJoinedWithWhatIsBehindIt() {
        OutputSearch search = OutputSearch.text("ready");
        assertThat(next(search, out("re"))).isEmpty();
        search.forget();
        assertThat(next(search, out("ady"))).isEmpty();
    }

    @Test
    void theChunkThatCompletesAMatchIsTold() {
        OutputSearch search = OutputSearch.text("ready");
        List<OutputChunk> chunks = List.of(
                new OutputChunk(4, StreamKind.STDOUT, "re".getBytes(UTF_8)),
                new OutputChunk(5, StreamKind.STDERR, "other".getBytes(UTF_8)),
                new OutputChunk(6, StreamKind.STDOUT, "ady".getBytes(UTF_8)),
                new OutputChunk(7, StreamKind.STDOUT, "more".getBytes(UTF_8)));
        assertThat(search.next(chunks, () -> false)).contains(new OutputSearch.Found("ready", 6));
    }

    @Test
    void aSearchIsLeftAfterAStep() {
        AtomicInteger asked = new AtomicInteger();
        OutputSearch search = OutputSearch.text("ready");
        List<OutputChunk> chunks = List.of(out("a".repeat(10 * OutputSearch.STEP_CHARS) + "ready"));
        assertThat(search.next(chunks, () -> asked.incrementAndGet() == 3)).isEmpty();
        assertThat(asked).hasValue(3);
    }
}
