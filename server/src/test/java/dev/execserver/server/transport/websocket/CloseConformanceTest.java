package dev.execserver.server.transport.websocket;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** RFC 6455 section 7 against an echo server over a real socket: closing, as in section 7 of the Autobahn suite. */
@Timeout(value = 30, unit = TimeUnit.SECONDS)
class CloseConformanceTest extends EchoConversation {
    @Nested
    class Closing {
        @ParameterizedTest
        @CsvSource({
            "1000", "1001", "1002", "1003", "1007", "1008", "1009", "1010", "1011", "1012", "3000", "3999", "4999"
        })
        void allowedCodeIsEchoedAndTheConnectionEnds(int code) throws Exception {
            client.close(code, "bye");
            RawClient.Frame frame = client.read();
            assertThat(frame.opcode()).isEqualTo(RawClient.CLOSE);
            assertThat(frame.closeCode()).isEqualTo(code);
            assertThat(client.ended()).isTrue();
        }

        @ParameterizedTest
        @ValueSource(ints = {0, 999, 1004, 1005, 1006, 1015, 1016, 1100, 2000, 2999, 5000, 65535})
        void forbiddenCodeIsAProtocolError(int code) throws Exception {
            client.close(code, "");
            assertThat(client.read().closeCode()).isEqualTo(1002);
        }

        @Test
        void closeWithoutPayloadIsEchoedWithoutPayload() throws Exception {
            client.frame(true, RawClient.CLOSE, new byte[0]);
            RawClient.Frame frame = client.read();
            assertThat(frame.opcode()).isEqualTo(RawClient.CLOSE);
            assertThat(frame.payload()).isEmpty();
            assertThat(client.ended()).isTrue();
        }

        @Test
        void closeWithHalfACodeIsRefused() throws Exception {
            client.frame(true, RawClient.CLOSE, new byte[1]);
            assertThat(client.read().closeCode()).isEqualTo(1002);
        }

        @Test
        void longestReasonIsFine() throws Exception {
            client.close(1000, "x".repeat(123));
            assertThat(client.read().closeCode()).isEqualTo(1000);
        }

        @Test
        void tooLongReasonIsRefused() throws Exception {
            client.close(1000, "x".repeat(124));
            assertThat(client.read().closeCode()).isEqualTo(1002);
        }

        @Test
        void reasonMustBeUtf8() throws Exception {
            client.frame(true, RawClient.CLOSE, new byte[] {3, (byte) 0xE8, (byte) 0xC0});
            assertThat(client.read().closeCode()).isEqualTo(1007);
        }

        @Test
        void whatFollowsACloseFrameIsIgnored() throws Exception {
            client.close(1000, "");
            client.text("too late");
            assertThat(client.read().opcode()).isEqualTo(RawClient.CLOSE);
            assertThat(client.ended()).isTrue();
        }

        @Test
        void closeInsideAFragmentedMessageIsFine() throws Exception {
            client.frame(false, RawClient.TEXT, bytes("x"));
            client.close(1000, "");
            assertThat(client.read().closeCode()).isEqualTo(1000);
        }
    }
}
