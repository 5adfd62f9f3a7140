package dev.execserver.server.transport.websocket;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.util.HexFormat;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * RFC 6455 against an echo server over a real socket, with the kinds of cases of the Autobahn suite, sections 1 to 7
 * and 10.
 */
@Timeout(value = 30, unit = TimeUnit.SECONDS)
class ConformanceTest extends EchoConversation {
    @Nested
    class Framing {
        @ParameterizedTest
        @ValueSource(ints = {0, 1, 125, 126, 127, 128, 65535, 65536, 65537, 1_000_000})
        void textOfThisSizeComesBackInOneFrame(int size) throws Exception {
            client.text("*".repeat(size));
            RawClient.Frame frame = client.readData();
            assertThat(frame.fin()).isTrue();
            assertThat(frame.text()).isEqualTo("*".repeat(size));
        }

        @Test
        void binaryIsAcceptedAndAnsweredWithText() throws Exception {
            client.frame(true, RawClient.BINARY, bytes("{}"));
            expectText("{}");
        }

        @Test
        void aFrameMayArriveByteByByte() throws Exception {
            for (byte octet : RawClient.encoded(true, RawClient.TEXT, bytes("dripping"))) {
                client.raw(new byte[] {octet});
            }
            expectText("dripping");
        }

        @Test
        void manyFramesMayArriveInOnePacket() throws Exception {
            ByteArrayOutputStream train = new ByteArrayOutputStream();
            for (int i = 0; i < 1000; i++) {
                train.writeBytes(RawClient.encoded(true, RawClient.TEXT, bytes("message " + i)));
            }
            client.raw(train.toByteArray());
            for (int i = 0; i < 1000; i++) {
                expectText("message " + i);
            }
        }

        @Test
        void unmaskedFrameIsRefused() throws Exception {
            client.raw(new byte[] {(byte) 0x81, 1, 'x'});
            expectClose(1002);
        }

        @ParameterizedTest
        @ValueSource(strings = {"81 fe 0005", "81 fe 007d", "81 ff 0000000000000080", "81 ff 000000000000ffff"})
        void lengthInALongerFormThanNeededIsRefused(String header) throws Exception {
            client.raw(HexFormat.of().parseHex(header.replace(" ", "") + "00000000"));
            assertThat(client.readData().closeCode()).isEqualTo(1002);
        }

        @Test
        void lengthWithTheTopmostBitIsRefused() throws Exception {
            client.raw(HexFormat.of().parseHex("81ffffffffffffffffff00000000"));
            assertThat(client.readData().closeCode()).isEqualTo(1002);
        }
    }

    @Nested
    class PingsAndPongs {
        @ParameterizedTest
        @ValueSource(ints = {0, 7, 125})
        void pingIsAnsweredWithItsPayload(int size) throws Exception {
            client.frame(true, RawClient.PING, bytes("p".repeat(size)));
            RawClient.Frame frame = client.read();
            assertThat(frame.opcode()).isEqualTo(RawClient.PONG);
            assertThat(frame.text()).isEqualTo("p".repeat(size));
        }

        @Test
        void pingPayloadMayBeBinary() throws Exception {
            client.frame(true, RawClient.PING, new byte[] {0, (byte) 0xFF, (byte) 0xFE});
            assertThat(client.read().payload()).containsExactly(0, 0xFF, 0xFE);
        }

        @Test
        void pingLongerThan125BytesIsRefused() throws Exception {
            client.frame(true, RawClient.PING, new byte[126]);
            expectClose(1002);
        }

        @Test
        void tenPingsGetTenPongsInOrder() throws Exception {
            ByteArrayOutputStream train = new ByteArrayOutputStream();
            for (int i = 0; i < 10; i++) {
                train.writeBytes(RawClient.encoded(true, RawClient.PING, bytes("p" + i)));
            }
            client.raw(train.toByteArray());
            for (int i = 0; i < 10; i++) {
                assertThat(client.read().text()).isEqualTo("p" + i);
            }
        }

        @Test
        void unsolicitedPongIsIgnored() throws Exception {
            client.frame(true, RawClient.PONG, bytes("nobody asked"));
            client.text("still here");
            expectText("still here");
        }

        @Test
        void pongLongerThan125BytesIsRefused() throws Exception {
            client.frame(true, RawClient.PONG, new byte[126]);
            expectClose(1002);
        }
    }

    @Nested
    class ReservedBitsAndOpcodes {
        @ParameterizedTest
        @ValueSource(ints = {0x10, 0x20, 0x30, 0x40, 0x50, 0x60, 0x70})
        void reservedBitsAreRefused(int bits) throws Exception {
            client.text("before");
            client.frame(true, RawClient.TEXT | bits, bytes("x"));
            expectText("before");
            expectClose(1002);
        }

        @Test
        void reservedBitOnAPingIsRefused() throws Exception {
            client.frame(true, RawClient.PING | 0x40, new byte[0]);
            expectClose(1002);
        }

        @ParameterizedTest
        @ValueSource(ints = {3, 4, 5, 6, 7, 11, 12, 13, 14, 15})
        void reservedOpcodesAreRefused(int opcode) throws Exception {
            client.frame(true, opcode, new byte[0]);
            expectClose(1002);
        }
    }

    @Nested
    class Fragmentation {
        @Test
        void fragmentsAreJoined() throws Exception {
            client.frame(false, RawClient.TEXT, bytes("one "));
            client.frame(false, 0, bytes("two "));
            client.frame(false, 0, new byte[0]);
            client.frame(true, 0, bytes("three"));
            expectText("one two three");
        }

        @Test
        void emptyFragmentsMakeAnEmptyMessage() throws Exception {
            client.frame(false, RawClient.TEXT, new byte[0]);
            client.frame(false, 0, new byte[0]);
            client.frame(true, 0, new byte[0]);
            expectText("");
        }

        @Test
        void pingBetweenFragmentsIsAnsweredAtOnce() throws Exception {
            client.frame(false, RawClient.TEXT, bytes("one "));
            client.frame(true, RawClient.PING, bytes("now"));
            assertThat(client.read().text()).isEqualTo("now");
            client.frame(true, 0, bytes("two"));
            expectText("one two");
        }

        @Test
        void aThousandFragmentsOfOneByteAreOneMessage() throws Exception {
            ByteArrayOutputStream train = new ByteArrayOutputStream();
            train.writeBytes(RawClient.encoded(false, RawClient.TEXT, bytes("x")));
            for (int i = 0; i < 998; i++) {
                train.writeBytes(RawClient.encoded(false, 0, bytes("x")));
            }
            train.writeBytes(RawClient.encoded(true, 0, bytes("x")));
            client.raw(train.toByteArray());
            expectText("x".repeat(1000));
        }

        @ParameterizedTest
        @ValueSource(ints = {RawClient.PING, RawClient.PONG, RawClient.CLOSE})
        void fragmentedControlFrameIsRefused(int opcode) throws Exception {
            client.frame(false, opcode, new byte[0]);
            expectClose(1002);
        }

        @ParameterizedTest
        @ValueSource(booleans = {true, false})
        void continuationOfNothingIsRefused(boolean fin) throws Exception {
            client.frame(fin, 0, bytes("x"));
            expectClose(1002);
        }

        @Test
        void continuationAfterAWholeMessageIsRefused() throws Exception {
            client.text("whole");
            client.frame(true, 0, bytes("x"));
            expectText("whole");
            expectClose(1002);
        }

        @Test
        void newMessageInsideAFragmentedOneIsRefused() throws Exception {
            client.frame(false, RawClient.TEXT, bytes("x"));
            client.frame(true, RawClient.TEXT, bytes("y"));
            expectClose(1002);
        }
    }

    @Nested
    class Utf8 {
        @ParameterizedTest
        @ValueSource(
                strings = {
                    "Hello-µ@ßöäüàá-UTF-8!!",
                    "κόσμε",
                    "\u0000",
                    "\u007f\u0080\u07ff\u0800\uffff",
                    "😀\udbff\udfff"
                })
        void validTextComesBack(String text) throws Exception {
            client.text(text);
            expectText(text);
        }

        @ParameterizedTest
        @ValueSource(
                strings = {
                    "80",
                    "bf",
                    "c0af",
                    "e080af",
                    "f08080af",
                    "c1bf",
                    "e09fbf",
                    "f08fbfbf",
                    "fe",
                    "ff",
                    "eda080",
                    "edbfbf",
                    "eda080edb080",
                    "f4908080",
                    "f888808080",
                    "cebae1bdb9cf83cebcceb5eda080656469746564",
                    "c3",
                    "e282",
                    "f09f98",
                    "c328",
                    "e28228"
                })
        void invalidTextIsRefused(String hex) throws Exception {
            client.frame(true, RawClient.TEXT, HexFormat.of().parseHex(hex));
            expectClose(1007);
        }

        @Test
        void characterMayBeSplitOverFragments() throws Exception {
            byte[] smile = bytes("😀");
            client.frame(false, RawClient.TEXT, new byte[] {smile[0]});
            client.frame(false, 0, new byte[] {smile[1], smile[2]});
            client.frame(true, 0, new byte[] {smile[3]});
            expectText("😀");
        }

        @Test
        void textThatCannotBecomeValidIsRefusedBeforeItsEnd() throws Exception {
            client.frame(false, RawClient.TEXT, new byte[] {'a', (byte) 0xC0});
            expectClose(1007);
        }

        @Test
        void binaryIsNotChecked() throws Exception {
            client.frame(true, RawClient.BINARY, new byte[] {(byte) 0xFF});
            assertThat(client.readData().payload()).containsExactly(0xFF);
        }
    }
}
