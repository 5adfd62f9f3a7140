package dev.execserver.server.mcp.shell;

import static org.assertj.core.api.Assertions.assertThat;

import dev.execserver.protocol.process.OutputChunk;
import dev.execserver.protocol.process.StreamKind;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

class StreamJoinerTest {
    private final ByteArrayOutputStream joined = new ByteArrayOutputStream();
    private final StreamJoiner joiner = new StreamJoiner(joined::write);

    private void add(StreamKind stream, byte... bytes) {
        joiner.add(new OutputChunk(1, stream, bytes));
    }

    @Test
    void aCharacterInTwoChunksIsNotCutByTheOtherStream() {
        byte[] euro = "€".getBytes(StandardCharsets.UTF_8);
        add(StreamKind.STDOUT, Arrays.copyOf(euro, 2));
        add(StreamKind.STDERR, (byte) '!');
        add(StreamKind.STDOUT, Arrays.copyOfRange(euro, 2, 3));
        joiner.finish();

        assertThat(joined.toString(StandardCharsets.UTF_8)).isEqualTo("!€");
    }

    @Test
    void whatIsNoTextIsHandedOverAtTheEndAtLatest() {
        add(StreamKind.STDOUT, (byte) 0xff, (byte) 0xe2);
        assertThat(joined.size()).isOne();
        joiner.finish();

        assertThat(joined.size()).isEqualTo(2);
    }
}
