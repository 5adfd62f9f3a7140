package dev.execserver.protocol.rpc;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import dev.execserver.protocol.environment.EnvironmentInfo;
import dev.execserver.protocol.environment.EnvironmentStatus;
import dev.execserver.protocol.fs.MetadataParams;
import dev.execserver.protocol.fs.MetadataResult;
import dev.execserver.protocol.process.CloseStdinParams;
import dev.execserver.protocol.process.ClosedNotification;
import dev.execserver.protocol.process.ExitedNotification;
import dev.execserver.protocol.process.ListResult;
import dev.execserver.protocol.process.OutputNotification;
import dev.execserver.protocol.process.ReadParams;
import dev.execserver.protocol.process.ReadResult;
import dev.execserver.protocol.process.ResizeParams;
import dev.execserver.protocol.process.SignalParams;
import dev.execserver.protocol.process.StartParams;
import dev.execserver.protocol.process.StartResult;
import dev.execserver.protocol.process.TerminateParams;
import dev.execserver.protocol.process.TerminateResult;
import dev.execserver.protocol.process.WriteParams;
import dev.execserver.protocol.process.WriteResult;
import dev.execserver.protocol.session.InitializeParams;
import dev.execserver.protocol.session.InitializeResult;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.function.BiFunction;
import net.jqwik.api.Assume;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.ShrinkingMode;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;

/** Checks that every input gives a message or one of the two exceptions that the connection handles. */
class EnvelopeDecoderFuzzTest {

    private static final List<String> SEEDS = SeedMessages.all();

    private static final List<String> REFUSED = List.of("refused");

    private static final byte[] TASTY =
            "{}[]\":,\\u0019-+.eE truefalsn/\n\t\0\u00ff\u00c3\u00ed".getBytes(StandardCharsets.ISO_8859_1);

    private static final List<BiFunction<JsonSlice, Dialect, Object>> READERS = List.of(
            InitializeParams::read,
            InitializeResult::read,
            EnvironmentInfo::read,
            EnvironmentStatus::read,
            MetadataParams::read,
            MetadataResult::read,
            StartParams::read,
            StartResult::read,
            ReadParams::read,
            ReadResult::read,
            WriteParams::read,
            WriteResult::read,
            SignalParams::read,
            TerminateParams::read,
            TerminateResult::read,
            CloseStdinParams::read,
            ResizeParams::read,
            ListResult::read,
            OutputNotification::read,
            ExitedNotification::read,
            ClosedNotification::read);

    @Property(tries = 6000, shrinking = ShrinkingMode.OFF)
    void mutatedMessagesAreReadOrRefused(@ForAll long seed) throws Exception {
        Random random = new Random(seed);
        byte[] message = mutated(SEEDS.get(random.nextInt(SEEDS.size())).getBytes(StandardCharsets.UTF_8), random);
        try {
            JsonRpcMessage read = EnvelopeDecoder.decode(message, 0, message.length);
            JsonSlice part = switch (read) {
                case Request request -> request.params();
                case Notification notification -> notification.params();
                case Response response -> response.result();
                case ErrorResponse error -> error.error().data().orElse(JsonSlice.NULL);
            };
            assertIsOneValue(part);
            readWithEveryReader(part);
        } catch (MalformedMessageException e) {
            assertThat(e.getMessage()).isNotBlank();
        }
    }

    @Property(tries = 3000)
    void randomBytesAreRefused(@ForAll @Size(max = 40) byte[] bytes) {
        try {
            EnvelopeDecoder.decode(bytes, 0, bytes.length);
        } catch (MalformedMessageException e) {
            assertThat(e.getMessage()).isNotBlank();
        }
    }

    @Property(tries = 500)
    void everyPrefixOfAMessageIsAnUnexpectedEnd(
            @ForAll @IntRange(max = 19) int which, @ForAll @IntRange(max = 400) int cut) {
        byte[] whole = SEEDS.get(which).getBytes(StandardCharsets.UTF_8);
        int length = Math.min(cut, whole.length - 1);
        // The rest of the message stays after the end of the range, where a decoder that reads too far would find it.
        try {
            EnvelopeDecoder.decode(whole, 0, length);
            assertThat(length).as("a prefix was taken").isNegative();
        } catch (MalformedMessageException e) {
            assertThat(e).hasMessageContaining("at line 1 column");
        }
    }

    /** Compares the scanner with Jackson's parser, token by token. */
    @Property(tries = 6000, shrinking = ShrinkingMode.OFF)
    void theScannerSeesWhatJacksonSees(@ForAll long seed) throws Exception {
        Random random = new Random(seed);
        byte[] message = mutated(SEEDS.get(random.nextInt(SEEDS.size())).getBytes(StandardCharsets.UTF_8), random);
        // Jackson guesses UTF-16 and UTF-32 from the first bytes, and checks UTF-8.
        Assume.that(!hasOddStart(message) && isUtf8(message));
        assertThat(tokensOfScanner(message)).isEqualTo(tokensOfJackson(message));
    }

    private static List<String> tokensOfScanner(byte[] message) {
        List<String> tokens = new ArrayList<>();
        JsonScanner scanner = JsonSlice.of(message, 0, message.length).scanner();
        try {
            for (JsonToken token = scanner.next(); token != JsonToken.END; token = scanner.next()) {
                switch (token) {
                    case NAME, STRING, INTEGER, FRACTION -> tokens.add(scanner.text());
                    default -> tokens.add(token.name());
                }
            }
            return tokens;
        } catch (MalformedMessageException e) {
            return REFUSED;
        }
    }

    private static List<String> tokensOfJackson(byte[] message) throws IOException {
        List<String> tokens = new ArrayList<>();
        try (JsonParser parser = Json.newFactory().createParser(message)) {
            do {
                var token = parser.nextToken();
                if (token == null) {
                    return REFUSED;
                }
                switch (token) {
                    case FIELD_NAME, VALUE_STRING, VALUE_NUMBER_INT, VALUE_NUMBER_FLOAT -> {
                        if (!Text.isWellFormed(parser.getText())) {
                            return REFUSED;
                        }
                        tokens.add(parser.getText());
                    }
                    default -> tokens.add(token.name().replace("VALUE_", ""));
                }
            } while (!parser.getParsingContext().inRoot());
            // Jackson accepts more than one root value.
            return parser.nextToken() == null ? tokens : REFUSED;
        } catch (JsonProcessingException e) {
            return REFUSED;
        }
    }

    private static boolean hasOddStart(byte[] message) {
        for (int i = 0; i < Math.min(4, message.length); i++) {
            if (message[i] <= 0) {
                return true;
            }
        }
        return false;
    }

    private static boolean isUtf8(byte[] message) {
        try {
            StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(message));
            return true;
        } catch (CharacterCodingException e) {
            return false;
        }
    }

    /** Checks that the slice is one complete value without other characters. */
    private static void assertIsOneValue(JsonSlice slice) throws MalformedMessageException {
        JsonScanner scanner = slice.scanner();
        scanner.next();
        int start = scanner.start();
        scanner.skipValue();
        assertThat(scanner.end() - start).isEqualTo(slice.length());
        assertThat(scanner.next()).isEqualTo(JsonToken.END);
    }

    private static void readWithEveryReader(JsonSlice slice) {
        for (BiFunction<JsonSlice, Dialect, Object> reader : READERS) {
            for (Dialect dialect : Dialect.values()) {
                try {
                    assertThat(reader.apply(slice, dialect)).isNotNull();
                } catch (RpcException e) {
                    assertThat(e.code()).isEqualTo(ErrorCodes.INVALID_PARAMS);
                    assertThat(e.message()).isNotBlank();
                }
            }
        }
    }

    private static byte[] mutated(byte[] seed, Random random) {
        byte[] bytes = seed;
        for (int times = random.nextInt(4); times >= 0; times--) {
            int at = random.nextInt(bytes.length + 1);
            int upTo = Math.min(bytes.length, at + random.nextInt(8));
            bytes = switch (random.nextInt(4)) {
                case 0 -> joined(bytes, at, new byte[0], upTo);
                case 1 -> joined(bytes, at, new byte[] {TASTY[random.nextInt(TASTY.length)]}, at);
                case 2 -> joined(bytes, at, new byte[] {TASTY[random.nextInt(TASTY.length)]}, upTo);
                default -> joined(bytes, at, Arrays.copyOfRange(seed, 0, random.nextInt(seed.length)), upTo);
            };
        }
        return bytes;
    }

    private static byte[] joined(byte[] source, int headEnd, byte[] middle, int tailStart) {
        byte[] out = Arrays.copyOf(source, headEnd + middle.length + source.length - tailStart);
        System.arraycopy(middle, 0, out, headEnd, middle.length);
        System.arraycopy(source, tailStart, out, headEnd + middle.length, source.length - tailStart);
        return out;
    }
}
