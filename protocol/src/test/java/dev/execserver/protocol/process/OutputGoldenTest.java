package dev.execserver.protocol.process;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.json.JsonWriteFeature;
import dev.execserver.protocol.rpc.Dialect;
import dev.execserver.protocol.rpc.EnvelopeDecoder;
import dev.execserver.protocol.rpc.JsonWritable;
import dev.execserver.protocol.rpc.MessageBuffer;
import dev.execserver.protocol.rpc.MessageEncoder;
import dev.execserver.protocol.rpc.Notification;
import dev.execserver.protocol.rpc.RequestId;
import dev.execserver.protocol.rpc.Response;
import dev.execserver.protocol.rpc.Text;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Random;
import java.util.stream.IntStream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.LongRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Compares the messages that are encoded without a generator with the output of a plain Jackson generator. */
class OutputGoldenTest {

    private static final JsonFactory JACKSON = JsonFactory.builder()
            .disable(JsonWriteFeature.WRITE_HEX_UPPER_CASE)
            .enable(JsonWriteFeature.COMBINE_UNICODE_SURROGATES_IN_UTF8)
            .build();

    @Test
    void aNotificationLooksLikeTheOneOfTheReference() {
        MessageBuffer out = new MessageBuffer();
        new OutputNotificationEncoder("proc-1").encode(out, chunk(1, StreamKind.STDOUT, "out"));
        assertThat(new String(out.toByteArray(), StandardCharsets.UTF_8))
                .isEqualTo("{\"method\":\"process/output\",\"params\":{\"processId\":\"proc-1\",\"seq\":1,"
                        + "\"stream\":\"stdout\",\"chunk\":\"b3V0\"}}");
    }

    @Test
    void aReadResultLooksLikeTheOneOfTheReference() {
        ReadResult result = new ReadResult(
                List.of(chunk(1, StreamKind.STDOUT, "out"), chunk(2, StreamKind.STDERR, "err")),
                5,
                true,
                OptionalInt.of(3),
                true,
                Optional.empty(),
                false,
                Optional.empty());
        MessageBuffer out = new MessageBuffer();
        MessageEncoder.response(out, RequestId.of(3), result);
        assertThat(new String(out.toByteArray(), StandardCharsets.UTF_8))
                .isEqualTo("{\"id\":3,\"result\":{\"chunks\":[{\"seq\":1,\"stream\":\"stdout\",\"chunk\":\"b3V0\"},"
                        + "{\"seq\":2,\"stream\":\"stderr\",\"chunk\":\"ZXJy\"}],\"nextSeq\":5,\"exited\":true,"
                        + "\"exitCode\":3,\"closed\":true,\"failure\":null,\"sandboxDenied\":false}}");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "a\"b\\c", "\u0000\u0007\n\u001f\u007f", "ä€😀", "\ud800", "x\udc00y", "/:{}"})
    void oddIdsAreWrittenAsTheGeneratorWritesThem(String id) throws Exception {
        assertNotificationIsGolden(id, 1, 100, 3);
    }

    @Property(tries = 500)
    void notificationsAreThoseOfTheGenerator(
            @ForAll String id,
            @ForAll @LongRange(min = 1) long seq,
            @ForAll @IntRange(max = 70_000) int length,
            @ForAll @IntRange(max = 4) int offset)
            throws Exception {
        assertNotificationIsGolden(id, seq, length, offset);
    }

    @Property(tries = 300)
    void readResultsAreThoseOfTheGenerator(
            @ForAll @Size(max = 12) List<@IntRange(max = 5000) Integer> lengths,
            @ForAll boolean exited,
            @ForAll Optional<String> failure,
            @ForAll @IntRange(min = -1, max = 255) int exitCode)
            throws Exception {
        List<OutputChunk> chunks = IntStream.range(0, lengths.size())
                .mapToObj(i -> randomChunk(i + 1, lengths.get(i), i % 3))
                .toList();
        ReadResult result = new ReadResult(
                chunks,
                chunks.size() + 1,
                exited,
                exited ? OptionalInt.of(exitCode) : OptionalInt.empty(),
                false,
                failure.map(Text::wellFormed),
                exited,
                exited ? Optional.of(new ReadResult.Dropped(1, 17)) : Optional.empty());
        MessageBuffer out = new MessageBuffer(0);
        result.writeDirect(out);
        assertThat(out.toByteArray()).isEqualTo(jackson(result));

        out.reset();
        MessageEncoder.response(out, RequestId.of(1), result);
        Response response = (Response) EnvelopeDecoder.decode(out.array(), out.offset(), out.length());
        assertThat(ReadResult.read(response.result(), Dialect.STRICT)).isEqualTo(result);
    }

    private static void assertNotificationIsGolden(String id, long seq, int length, int offset) throws Exception {
        OutputChunk chunk = randomChunk(seq, length, offset);
        OutputNotification params = new OutputNotification(Text.wellFormed(id), chunk);
        byte[] expected = jackson(g -> {
            g.writeStartObject();
            g.writeStringField("method", "process/output");
            g.writeFieldName("params");
            params.writeTo(g);
            g.writeEndObject();
        });

        MessageBuffer out = new MessageBuffer(0);
        new OutputNotificationEncoder(id).encode(out, chunk);
        assertThat(out.toByteArray()).isEqualTo(expected);
        out.reset();
        MessageEncoder.notification(out, ProcessMethodNames.OUTPUT, new OutputNotification(id, chunk));
        assertThat(out.toByteArray()).isEqualTo(expected);

        Notification read = (Notification) EnvelopeDecoder.decode(out.array(), out.offset(), out.length());
        assertThat(OutputNotification.read(read.params(), Dialect.OPEN)).isEqualTo(params);
    }

    private static OutputChunk chunk(long seq, StreamKind stream, String text) {
        return new OutputChunk(seq, stream, text.getBytes(StandardCharsets.UTF_8));
    }

    private static OutputChunk randomChunk(long seq, int length, int offset) {
        byte[] bytes = new byte[offset + length + 2];
        new Random(seq).nextBytes(bytes);
        return new OutputChunk(seq, seq % 2 == 0 ? StreamKind.STDERR : StreamKind.PTY, bytes, offset, length);
    }

    private static byte[] jackson(JsonWritable value) throws Exception {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        try (JsonGenerator g = JACKSON.createGenerator(out)) {
            value.writeTo(g);
        }
        return out.toByteArray();
    }
}
