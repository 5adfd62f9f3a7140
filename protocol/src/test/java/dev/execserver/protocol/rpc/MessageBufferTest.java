package dev.execserver.protocol.rpc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.fail;

import com.fasterxml.jackson.core.JsonGenerator;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class MessageBufferTest {

    @Test
    void leavesRoomInFrontAndBehindHoweverItGrows() {
        MessageBuffer out = new MessageBuffer(0);
        for (int i = 0; i < 5000; i++) {
            out.ascii("ab");
            assertThat(out.offset()).isEqualTo(MessageBuffer.HEADROOM);
            assertThat(out.array().length).isGreaterThanOrEqualTo(out.offset() + out.length() + MessageBuffer.TAILROOM);
        }
        assertThat(out.length()).isEqualTo(10_000);
    }

    @Test
    void resetForgetsThePayloadAndKeepsTheArray() {
        MessageBuffer out = new MessageBuffer();
        out.base64(new byte[10_000], 0, 10_000);
        byte[] array = out.array();
        out.reset();
        out.ascii("x");
        assertThat(out.array()).isSameAs(array);
        assertThat(text(out)).isEqualTo("x");
    }

    @ParameterizedTest
    @ValueSource(
            longs = {
                0,
                1,
                -1,
                9,
                10,
                99,
                100,
                Long.MAX_VALUE,
                Long.MIN_VALUE,
                Long.MIN_VALUE + 1,
                1_000_000_000_000_000_000L
            })
    void numbersAreDecimal(long value) {
        MessageBuffer out = new MessageBuffer(0);
        out.number(value);
        assertThat(text(out)).isEqualTo(Long.toString(value));
    }

    @Property(tries = 1000)
    void everyNumberIsDecimal(@ForAll long value) {
        numbersAreDecimal(value);
    }

    @Property(tries = 300)
    void base64IsThatOfTheJdk(@ForAll @IntRange(max = 110_000) int length, @ForAll @IntRange(max = 5) int offset) {
        byte[] source = new byte[offset + length];
        new Random(length).nextBytes(source);
        MessageBuffer out = new MessageBuffer(0);
        out.base64(source, offset, length);
        assertThat(text(out))
                .isEqualTo(StandardCharsets.ISO_8859_1
                        .decode(Base64.getEncoder().encode(ByteBuffer.wrap(source, offset, length)))
                        .toString());
    }

    @Property(tries = 3000)
    void stringsAreThoseOfTheGeneratorAndAlwaysUtf8(@ForAll String text) throws Exception {
        assertSameAsGenerator(text);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2, 3, 98_303, 98_304, 98_305, 1_000_000})
    void contentThatIsEncodedWhileItIsSentIsTheSameMessage(int size) throws IOException {
        byte[] bytes = new byte[size];
        new Random(size).nextBytes(bytes);
        MessageBuffer plain = new MessageBuffer();
        plain.ascii("{\"a\":\"");
        plain.base64(bytes, 0, size);
        plain.ascii("\"}");

        MessageBuffer late = withContent(bytes, size + 5);
        assertThat(late.length()).isEqualTo(plain.length());
        ByteArrayOutputStream sent = new ByteArrayOutputStream();
        late.forEachPiece(sent::write);
        assertThat(sent.toByteArray()).isEqualTo(plain.toByteArray());

        MessageBuffer joined = withContent(bytes, size);
        assertThat(joined.array().length)
                .isGreaterThanOrEqualTo(joined.offset() + joined.length() + MessageBuffer.TAILROOM);
        assertThat(joined.toByteArray()).isEqualTo(plain.toByteArray());
        assertThat(joined.length()).isEqualTo(plain.length());
    }

    private static MessageBuffer withContent(byte[] bytes, int expected) {
        MessageBuffer out = new MessageBuffer();
        out.ascii("{\"a\":\"");
        out.content(expected, () -> new ArrayContent(bytes));
        out.ascii("\"}");
        return out;
    }

    @Test
    void contentIsGivenBackWhenTheMessageIsJoinedOrReset() {
        AtomicInteger closed = new AtomicInteger();
        for (Consumer<MessageBuffer> end :
                List.<Consumer<MessageBuffer>>of(MessageBuffer::array, MessageBuffer::reset)) {
            MessageBuffer out = new MessageBuffer();
            out.content(3, () -> new ArrayContent(new byte[3], closed::incrementAndGet));
            end.accept(out);
            out.reset();
        }
        assertThat(closed).hasValue(2);
    }

    private record ArrayContent(byte[] bytes, Runnable closing) implements LargeContent {
        ArrayContent(byte[] bytes) {
            this(bytes, () -> {});
        }

        @Override
        public int length() {
            return bytes.length;
        }

        @Override
        public void get(int position, byte[] to, int offset, int count) {
            System.arraycopy(bytes, position, to, offset, count);
        }

        @Override
        public void close() {
            closing.run();
        }
    }

    @Test
    void contentIsCountedBeforeItIsLoaded() {
        MessageBuffer out = new MessageBuffer((from, to) -> {
            throw new IllegalStateException("from " + from + " to " + to);
        });
        int small = out.capacity();
        assertThatThrownBy(() -> out.content(1_000_000, () -> fail("loaded")))
                .hasMessage("from " + small + " to " + (small + 1_000_000));
        assertThat(out.length()).isZero();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "plain",
                "\"\\/\b\f\n\r\t",
                "\u0000\u0001\u001f\u007f\u0080\u07ff\u0800\uffff",
                "😀",
                "a😀b",
                "\ud800",
                "\udc00",
                "\ud800\ud800",
                "\udc00\ud800",
                "x\ud83d",
                "\ud83d\ud83d\ude00"
            })
    void oddStringsAreThoseOfTheGenerator(String text) throws Exception {
        assertSameAsGenerator(text);
    }

    @Test
    void halfAPairBecomesAReplacementCharacter() {
        MessageBuffer out = new MessageBuffer();
        out.string("a\ud800b\udc00");
        assertThat(text(out)).isEqualTo("\"a\ufffdb\ufffd\"");
    }

    @Test
    void controlCharactersAreEscapedAsTheReferenceDoes() {
        MessageBuffer out = new MessageBuffer();
        out.string("\u001f\u0000\n");
        assertThat(text(out)).isEqualTo("\"\\u001f\\u0000\\n\"");
    }

    private static void assertSameAsGenerator(String text) throws Exception {
        MessageBuffer out = new MessageBuffer(0);
        out.string(text);
        ByteArrayOutputStream expected = new ByteArrayOutputStream();
        try (JsonGenerator g = new WellFormedGenerator(Json.GENERATORS.createGenerator(expected))) {
            g.writeString(text);
        }
        assertThat(out.toByteArray()).isEqualTo(expected.toByteArray());
        // The decoder throws if the bytes are not UTF-8.
        StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(out.toByteArray()));
    }

    private static String text(MessageBuffer out) {
        return new String(out.toByteArray(), StandardCharsets.UTF_8);
    }
}
