package dev.execserver.protocol.rpc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.management.ThreadMXBean;
import dev.execserver.protocol.process.WriteParams;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(30)
class EnvelopeLimitsTest {

    @Test
    void exactly262144ValuesAreTaken() throws Exception {
        // The root, the method and the array are three values.
        Notification read = (Notification) EnvelopeDecoderTest.decode(arrayOf(262_144 - 3));
        assertThat(read.params().length()).isEqualTo((262_144 - 3) * 2 + 1);
    }

    @Test
    void oneValueMoreIsRefused() {
        assertMalformed(
                arrayOf(262_144 - 2),
                "JSON-RPC message exceeds the limit of 262144 JSON values at line 1 column 524307");
    }

    @Test
    void arraysAndObjectsCountAsValues() {
        String members = "[{}],".repeat(131_072);
        assertThatThrownBy(() -> EnvelopeDecoderTest.decode("{\"params\":[" + members + "1],\"method\":\"m\"}"))
                .isInstanceOf(MalformedMessageException.class)
                .hasMessageStartingWith("JSON-RPC message exceeds the limit of 262144 JSON values at line 1 column ");
    }

    @Test
    void nestingOf127LevelsIsTaken() throws Exception {
        String params = "[".repeat(126) + "]".repeat(126);
        Notification read = (Notification) EnvelopeDecoderTest.decode("{\"method\":\"m\",\"params\":" + params + "}");
        assertThat(read.params()).hasToString(params);
    }

    @Test
    void nestingOf128LevelsIsRefusedWhateverTheBrackets() {
        assertMalformed("[".repeat(128) + "]".repeat(128), "recursion limit exceeded at line 1 column 128");
        assertMalformed("{\"a\":".repeat(127) + "[]", "recursion limit exceeded at line 1 column 636");
        assertMalformed("[".repeat(5_000_000), "recursion limit exceeded at line 1 column 128");
    }

    @Test
    void linesAreCountedInErrors() {
        assertMalformed("{\n\"a\":1,\n  \"a\":2}", "duplicate JSON object key `a` at line 3 column 5");
    }

    @Test
    void theSameNameIsFineInDifferentObjects() throws Exception {
        assertThat(EnvelopeDecoderTest.decode(
                        "{\"method\":\"m\",\"params\":[{\"a\":{\"a\":1}},{\"a\":2}],\"a\":{\"method\":1}}"))
                .isInstanceOf(Notification.class);
    }

    @Test
    void duplicatesAreFoundAmongManyNames() {
        String names =
                IntStream.range(0, 200_000).mapToObj(i -> "\"k" + i + "\":0").collect(Collectors.joining(","));
        assertThatThrownBy(() -> EnvelopeDecoderTest.decode("{\"method\":\"m\",\"params\":{" + names + ",\"k7\":1}}"))
                .isInstanceOf(MalformedMessageException.class)
                .hasMessageStartingWith("duplicate JSON object key `k7` at line 1 column ");
        assertThatThrownBy(() -> EnvelopeDecoderTest.decode("{" + names + "}")).hasMessage("missing field `error`");
    }

    @Test
    @Timeout(value = 5, unit = TimeUnit.SECONDS)
    void namesChosenToCollideDoNotBurnTheCore() {
        // Aa and BB have the same String.hashCode, and so have all their combinations.
        String names = IntStream.range(0, 1 << 15)
                .mapToObj(i -> "\""
                        + Integer.toBinaryString(i | 1 << 15).replace("0", "Aa").replace("1", "BB") + "\":0")
                .collect(Collectors.joining(","));
        assertThatThrownBy(() -> EnvelopeDecoderTest.decode("{" + names + "}")).hasMessage("missing field `error`");
    }

    @Test
    void manyNamesThatAreAlikeAreNeitherRefusedNorDoHarmToOtherMessages() throws Exception {
        for (int round = 0; round < 3; round++) {
            String names = IntStream.range(round, 3000)
                    .mapToObj(i -> String.format("\"%032d\":\"\"", i))
                    .collect(Collectors.joining(","));
            Notification read = (Notification)
                    EnvelopeDecoderTest.decode("{\"method\":\"m\",\"params\":{\"env\":{" + names + "}}}");
            ParamsReader in = ParamsReader.of(read.params(), "X");
            in.next();
            assertThat(in.stringMap()).hasSize(3000 - round);
        }
    }

    @Test
    @Timeout(value = 5, unit = TimeUnit.SECONDS)
    void aNumberOfAMillionDigitsIsAnError() {
        String digits = "1".repeat(1 << 20);
        for (String message : new String[] {
            "{\"method\":\"m\",\"params\":" + digits + "}",
            "{\"id\":" + digits + ",\"method\":\"m\"}",
            "{\"a\":1." + digits + "}",
            digits
        }) {
            assertThatThrownBy(() -> EnvelopeDecoderTest.decode(message)).isInstanceOf(MalformedMessageException.class);
        }
    }

    @Test
    void aMessageOf64MebibytesIsReadWithoutCopyingIt() throws Exception {
        byte[] head = "{\"id\":1,\"method\":\"process/write\",\"params\":{\"processId\":\"p\",\"chunk\":\""
                .getBytes(StandardCharsets.UTF_8);
        byte[] tail = "\",\"writeId\":\"1\"}}".getBytes(StandardCharsets.UTF_8);
        byte[] message = new byte[64 << 20];
        int payload = (message.length - head.length - tail.length) / 4 * 4;
        Arrays.fill(message, (byte) 'A');
        System.arraycopy(head, 0, message, 0, head.length);
        System.arraycopy(tail, 0, message, head.length + payload, tail.length);
        int length = head.length + payload + tail.length;

        long before = allocated();
        Request request = (Request) EnvelopeDecoder.decode(message, 0, length);
        assertThat(allocated() - before).as("bytes for the envelope").isLessThan(1 << 20);

        WriteParams params = WriteParams.read(request.params(), Dialect.OPEN);
        assertThat(allocated() - before).as("bytes for the decoded chunk").isLessThan(payload / 4 * 3 + (1 << 20));
        assertThat(params.chunk()).hasSize(payload / 4 * 3);
    }

    private static long allocated() {
        return ((ThreadMXBean) ManagementFactory.getThreadMXBean()).getCurrentThreadAllocatedBytes();
    }

    private static String arrayOf(int elements) {
        return "{\"method\":\"m\",\"params\":[" + "0,".repeat(elements - 1) + "0]}";
    }

    private static void assertMalformed(String message, String text) {
        assertThatThrownBy(() -> EnvelopeDecoderTest.decode(message))
                .isInstanceOf(MalformedMessageException.class)
                .hasMessage(text);
    }
}
