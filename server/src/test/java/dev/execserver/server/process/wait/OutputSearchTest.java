package dev.execserver.server.process.wait;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.execserver.protocol.process.OutputChunk;
import dev.execserver.protocol.process.StreamKind;
import dev.execserver.protocol.rpc.RpcException;
import java.util.Optional;
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

    @Test
    void aMatchMaySpanPiecesButNotStreams() {
        OutputSearch search = OutputSearch.text("ready");
        assertThat(search.next(out("re"))).isEmpty();
        assertThat(search.next(chunk(StreamKind.STDERR, "ady"))).isEmpty();
        assertThat(search.next(out("ady"))).contains("ready");
    }

    @Test
    void aCharacterMaySpanPieces() {
        OutputSearch search = OutputSearch.text("ü");
        byte[] bytes = "ü".getBytes(UTF_8);
        assertThat(search.next(new OutputChunk(1, StreamKind.STDOUT, new byte[] {bytes[0]})))
                .isEmpty();
        assertThat(search.next(new OutputChunk(2, StreamKind.STDOUT, new byte[] {bytes[1]})))
                .contains("ü");
    }

    @Test
    void bytesThatAreNoTextHarmNothing() {
        OutputSearch search = OutputSearch.text("x");
        assertThat(search.next(new OutputChunk(1, StreamKind.STDOUT, new byte[] {(byte) 0xff, (byte) 0xc3, 'x'})))
                .contains("x");
    }

    @Test
    void theBeginOfALineIsOneAlsoBehindMuchOutput() {
        OutputSearch search = OutputSearch.regex("^b+$");
        for (int i = 0; i < 100; i++) {
            assertThat(search.next(out("a".repeat(777)))).isEmpty();
            assertThat(search.next(out("abb\n"))).isEmpty();
        }
        assertThat(search.next(out("bbb\n"))).contains("bbb");
    }

    @Test
    void aLongMatchIsToldInPart() {
        Optional<String> found = OutputSearch.regex("x+").next(out("x".repeat(3000)));
        assertThat(found.orElseThrow()).hasSize(1000);
    }

    @Test
    void aPatternThatTriesAllWaysIsGivenUp() {
        assertThatThrownBy(() -> OutputSearch.regex("(x+x+)+y").next(out("x".repeat(4000))))
                .isInstanceOf(RpcException.class)
                .hasMessageContaining("too many steps");
        assertThatThrownBy(() -> OutputSearch.regex("(a|b)*c").next(out("ab".repeat(4000))))
                .isInstanceOf(RpcException.class)
                .hasMessageContaining("too many steps");
    }
}
