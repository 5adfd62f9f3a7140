package dev.execserver.server.transport.codec;

import static org.assertj.core.api.Assertions.assertThat;

import dev.execserver.server.transport.CloseReason;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class FrameWriterTest {
    @ParameterizedTest
    @CsvSource({
        "0, 8100",
        "125, 817d",
        "126, 817e007e",
        "65535, 817effff",
        "65536, 817f0000000000010000",
        "8388608, 817f0000000000800000"
    })
    void headerStandsDirectlyBeforeThePayload(int length, String header) {
        byte[] array = new byte[32];
        int start = FrameWriter.prepend(array, 16, length, Opcode.TEXT, true);
        assertThat(HexFormat.of().formatHex(Arrays.copyOfRange(array, start, 16)))
                .isEqualTo(header);
        assertThat(16 - start).isEqualTo(FrameWriter.headerBytes(length));
    }

    @Test
    void fragmentsLackTheFinBit() {
        byte[] array = new byte[16];
        int start = FrameWriter.prepend(array, 16, 1, Opcode.TEXT, false);
        assertThat(array[start]).isEqualTo((byte) 0x01);
    }

    @Test
    void closeFrameCarriesCodeAndReason() {
        assertThat(HexFormat.of().formatHex(FrameWriter.close(CloseReason.GOING_AWAY.because("bye"))))
                .isEqualTo("880503e9627965");
    }

    @Test
    void reasonIsCutBetweenCharactersToFitAControlFrame() {
        byte[] frame = FrameWriter.close(CloseReason.POLICY.because("😀".repeat(100)));
        assertThat(frame.length).isLessThanOrEqualTo(127);
        assertThat(new String(frame, 4, frame.length - 4, StandardCharsets.UTF_8))
                .matches("(😀)+");
    }
}
