package dev.execserver.protocol.rpc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.management.ThreadMXBean;
import dev.execserver.protocol.fs.WriteFileParams;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.ShrinkingMode;
import org.junit.jupiter.api.Test;

/** Checks that a message without its long strings has the same meaning as the same message in one array. */
class MessageIntakeTest {

    private static final int LONG = MessageIntake.LONG_BYTES;

    @Property(tries = 400, shrinking = ShrinkingMode.OFF)
    void everyMessageMeansTheSameHoweverItArrives(@ForAll long seed) throws IOException {
        Random random = new Random(seed);
        byte[] whole = message(random);
        ReceivedMessage received = inPieces(whole, random);
        assertThat(received.size()).isEqualTo(whole.length);
        assertThat(received.bytes()).isEqualTo(whole);
        assertThat(meaning(received)).isEqualTo(meaning(ReceivedMessage.of(whole)));
    }

    @Test
    void contentIsDecodedWhileItArrivesAndNotKeptAsText() throws Exception {
        byte[] content = new byte[5_000_000];
        new Random(1).nextBytes(content);
        byte[] whole = write(Base64.getEncoder().encodeToString(content));
        ReceivedMessage received = inPieces(whole, new Random(2));
        assertThat(received.text()).hasSizeLessThan(1024);

        Base64Data data = params(received).data();
        assertThat(data.size()).isEqualTo(content.length);
        ByteArrayOutputStream pieces = new ByteArrayOutputStream();
        data.forEachPiece(pieces::write);
        assertThat(pieces.toByteArray()).isEqualTo(content);
        assertThat(data.toByteArray()).isEqualTo(content);
    }

    @Test
    void oneIntakeGathersOneMessageAfterTheOther() throws IOException {
        MessageIntake intake = new MessageIntake(bytes -> {});
        for (String text : new String[] {"\"" + "A".repeat(3 * LONG), "[1]", "\"\\", "\"x\""}) {
            byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
            intake.add(bytes, 0, bytes.length);
            assertThat(intake.take().bytes()).asString().isEqualTo(text);
        }
        intake.add(new byte[] {'"', 'a'}, 0, 2);
        intake.clear();
        assertThat(intake.take().bytes()).isEmpty();
    }

    @Test
    void aPeerCannotMakeUpTheMarkOfAStringThatWasTakenOut() throws IOException {
        byte[] whole = ("{\"id\":1,\"method\":\"m\",\"params\":[\"" + "A".repeat(2 * LONG) + "\",\"\u001a\"]}")
                .getBytes(StandardCharsets.UTF_8);
        ReceivedMessage received = inPieces(whole, new Random(3));
        assertThat(received.text()).hasSizeLessThan(100);
        assertThatThrownBy(() -> EnvelopeDecoder.decode(received))
                .isInstanceOf(MalformedMessageException.class)
                .hasMessage("control character (\\u0000-\\u001F) found while parsing a string at line 1 column "
                        + (whole.length - "\"]}".length()));
    }

    @Test
    void paddingInTheMiddleIsNamedAtItsPlaceInTheWholeText() throws Exception {
        String text = "A".repeat(LONG - 4) + "AAA=" + "A".repeat(LONG);
        assertThatThrownBy(() ->
                        params(inPieces(write(text), new Random(4))).data().check())
                .isInstanceOf(InvalidBase64Exception.class)
                .hasMessage("Invalid symbol 61, offset " + (LONG - 1) + ".");
    }

    @Test
    void whatIsHeldIsToldBeforeItIs() throws IOException {
        long[] held = {0};
        MessageIntake intake = new MessageIntake(bytes -> held[0] = bytes);
        byte[] piece = "!".repeat(LONG).getBytes(StandardCharsets.UTF_8);
        intake.add(new byte[] {'"'}, 0, 1);
        assertThat(held[0]).isEqualTo(1);
        for (int i = 1; i <= 5; i++) {
            intake.add(piece, 0, piece.length);
            assertThat(held[0]).isBetween((long) i * LONG, (i + 1L) * LONG + 1);
        }
        intake.add(new byte[] {'\\'}, 0, 1);
        assertThat(held[0]).isEqualTo(5 * LONG + 2);
    }

    @Test
    void manyLongStringsBehindMuchTextAreNotEachPaidWithACopyOfAllOfIt() throws IOException {
        byte[] text = "1,".repeat(64 * LONG).getBytes(StandardCharsets.UTF_8);
        byte[] string = ("\"" + "A".repeat(2 * LONG) + "\",").getBytes(StandardCharsets.UTF_8);
        MessageIntake intake = new MessageIntake(bytes -> {});
        for (int at = 0; at < text.length; at += LONG) {
            intake.add(text, at, LONG);
        }
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        long before = threads.getCurrentThreadAllocatedBytes();
        for (int i = 0; i < 200; i++) {
            intake.add(string, 0, 1 + LONG);
            intake.add(string, 1 + LONG, LONG);
            intake.add(string, 1 + 2 * LONG, 2);
        }
        assertThat(threads.getCurrentThreadAllocatedBytes() - before).isLessThan(200L * 1024 * 1024);
        assertThat(intake.take().size()).isEqualTo(text.length + 200 * string.length);
    }

    @Test
    void textThatHadEscapesIsEscapedAgainWhenItIsHandedOn() throws Exception {
        for (String text : List.of("QUFB\\\"," + "\\\"mode\\\":2541", "QUFB\\nQUFB", "\\u0041AAA")) {
            WriteFileParams read = params(ReceivedMessage.of(write(text)));
            MessageBuffer out = new MessageBuffer();
            read.writeDirect(out);
            WriteFileParams again =
                    WriteFileParams.read(JsonSlice.of(out.array(), out.offset(), out.length()), Dialect.OPEN);
            assertThat(again.mode()).isEmpty();
            assertThat(fault(again)).isEqualTo(fault(read));
        }
    }

    private static String fault(WriteFileParams params) {
        try {
            return Arrays.toString(params.data().toByteArray());
        } catch (InvalidBase64Exception e) {
            return e.getMessage();
        }
    }

    private static ReceivedMessage inPieces(byte[] whole, Random random) throws IOException {
        MessageIntake intake = new MessageIntake(bytes -> {});
        byte[] piece = new byte[LONG];
        for (int at = 0; at < whole.length; ) {
            int most = random.nextInt(4) == 0 ? 10 : piece.length;
            int count = Math.min(1 + random.nextInt(most), whole.length - at);
            System.arraycopy(whole, at, piece, 0, count);
            intake.add(piece, 0, count);
            Arrays.fill(piece, (byte) '"');
            at += count;
        }
        return intake.take();
    }

    private static byte[] message(Random random) {
        StringBuilder text = new StringBuilder("{\"id\":1,\"method\":\"fs/writeFile\",\n\"params\":{");
        if (random.nextBoolean()) {
            text.append("\"more\":[\"").append(string(random)).append("\" , \"\", null],\n\t");
        }
        text.append("\"path\":\"file:///a\",\"dataBase64\":\"").append(string(random));
        text.append("\",\"sandbox\":{\"x\":\"").append(string(random)).append("\"}}}");
        byte[] bytes = text.toString().getBytes(StandardCharsets.UTF_8);
        if (random.nextInt(4) == 0) {
            return Arrays.copyOf(bytes, random.nextInt(bytes.length));
        }
        for (int faults = random.nextInt(6); faults > 3; faults--) {
            int at = random.nextInt(bytes.length);
            if (bytes[at] >= 0) { // keeps the text UTF-8, because transports refuse anything else
                bytes[at] = (byte) "\"\\{}\u001a\n=x".charAt(random.nextInt(8));
            }
        }
        return bytes;
    }

    private static String string(Random random) {
        byte[] content = new byte[random.nextInt(random.nextBoolean() ? 10 : 3 * LONG)];
        random.nextBytes(content);
        String base64 = Base64.getEncoder().encodeToString(content);
        return switch (random.nextInt(5)) {
            case 0 -> base64 + "\u00e4" + base64;
            case 1 -> base64 + "\\n\\u0041" + base64;
            case 2 -> base64.replace('A', '=');
            default -> base64;
        };
    }

    /** Returns the decoded message or the error as text. */
    private static String meaning(ReceivedMessage message) {
        try {
            JsonRpcMessage read = EnvelopeDecoder.decode(message);
            if (!(read instanceof Request request)) {
                return read.toString(); // a fault in the name of the id makes it a notification
            }
            JsonSlice params = request.params();
            assertThat(params.length()).isEqualTo(params.toString().getBytes(StandardCharsets.UTF_8).length);
            assertThat(params.detached()).isEqualTo(params).hasSameHashCodeAs(params);
            return read + " " + content(params);
        } catch (MalformedMessageException | RpcException e) {
            return e.toString();
        }
    }

    private static String content(JsonSlice params) {
        WriteFileParams write = WriteFileParams.read(params, Dialect.OPEN);
        try {
            return Arrays.hashCode(write.data().toByteArray()) + " "
                    + write.data().size() + " " + write.sandbox();
        } catch (InvalidBase64Exception e) {
            return e.getMessage();
        }
    }

    private static WriteFileParams params(ReceivedMessage message) throws MalformedMessageException {
        return WriteFileParams.read(((Request) EnvelopeDecoder.decode(message)).params(), Dialect.OPEN);
    }

    private static byte[] write(String base64) {
        return ("{\"id\":1,\"method\":\"fs/writeFile\",\"params\":{\"path\":\"file:///a\",\"dataBase64\":\"" + base64
                        + "\"}}")
                .getBytes(StandardCharsets.UTF_8);
    }
}
