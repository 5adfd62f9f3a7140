package dev.execserver.server.names;

import static org.assertj.core.api.Assertions.assertThat;

import dev.execserver.server.names.NameResponder.Answer;
import java.io.ByteArrayOutputStream;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;

class NameResponderTest {
    private static final int A = 1;
    private static final int AAAA = 28;
    private static final int INTERNET = 1;
    private static final Map<String, Answer> NAMES = Map.of(
            "good.test", new Answer.Found(InetAddress.ofLiteral("198.18.0.1")), "full.test", new Answer.Failure());

    private static byte[] query(String name, int type, int kind) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        out.writeBytes(new byte[] {0x12, 0x34, 1, 0, 0, 1, 0, 0, 0, 0, 0, 0});
        for (String label : name.split("\\.")) {
            out.write(label.length());
            out.writeBytes(label.getBytes(StandardCharsets.US_ASCII));
        }
        out.writeBytes(new byte[] {0, 0, (byte) type, 0, (byte) kind});
        return out.toByteArray();
    }

    private static Optional<byte[]> reply(byte[] query) {
        return NameResponder.reply(query, name -> NAMES.getOrDefault(name, new Answer.Unknown()));
    }

    private static String hex(byte[] query) {
        return HexFormat.of().formatHex(reply(query).orElseThrow());
    }

    @Test
    void aKnownNameHasItsAddressAndNoOther() {
        assertThat(hex(query("good.test", A, INTERNET)))
                .isEqualTo("123481800001000100000000" + "04676f6f64047465737400" + "00010001" + "c00c00010001"
                        + "0000003c" + "0004" + "c6120001");
        assertThat(hex(query("good.test", AAAA, INTERNET)))
                .isEqualTo("123481800001000000000000" + "04676f6f64047465737400" + "001c0001");
    }

    @Test
    void anotherNameDoesNotExist() {
        assertThat(hex(query("bad.test", A, INTERNET))).startsWith("12348183");
        assertThat(hex(query("full.test", A, INTERNET))).startsWith("12348182");
        assertThat(hex(query("good.test", A, 3))).startsWith("12348184");
    }

    @Test
    void recordsBehindTheQuestionDoNotMatter() {
        byte[] plain = query("good.test", A, INTERNET);
        byte[] longer = Arrays.copyOf(plain, plain.length + 11);
        longer[11] = 1;
        assertThat(reply(longer))
                .hasValueSatisfying(
                        answer -> assertThat(answer).isEqualTo(reply(plain).orElseThrow()));
    }

    @Test
    void whatIsNoQueryGetsNoAnswer() {
        byte[] good = query("good.test", A, INTERNET);
        for (int length = 0; length < good.length; length++) {
            assertThat(reply(Arrays.copyOf(good, length)))
                    .as("%d bytes", length)
                    .isEmpty();
        }
        byte[] answer = good.clone();
        answer[2] = (byte) 0x81;
        assertThat(reply(answer)).isEmpty();
        byte[] pointer = good.clone();
        pointer[12] = (byte) 0xc0;
        assertThat(reply(pointer)).isEmpty();
        Random random = new Random(7);
        for (int i = 0; i < 10_000; i++) {
            byte[] noise = new byte[random.nextInt(64)];
            random.nextBytes(noise);
            assertThat(reply(noise).map(bytes -> bytes.length).orElse(0)).isLessThan(128);
        }
    }

    @Test
    void aNameKeepsItsAddressAndThereIsAnEndOfThem() {
        SyntheticNames names = new SyntheticNames();
        InetAddress first = names.addressOf("a.test").orElseThrow();
        assertThat(first).isEqualTo(InetAddress.ofLiteral("198.18.0.1"));
        for (int i = 1; i < SyntheticNames.MAX_NAMES; i++) {
            assertThat(names.addressOf("n" + i)).isPresent();
        }
        assertThat(names.addressOf("one.more")).isEmpty();
        assertThat(names.addressOf("a.test")).contains(first);
        assertThat(names.nameOf(first)).contains("a.test");
        assertThat(names.nameOf(InetAddress.ofLiteral("198.19.0.1"))).isEmpty();
    }
}
