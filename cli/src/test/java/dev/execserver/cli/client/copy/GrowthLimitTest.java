package dev.execserver.cli.client.copy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(30)
class GrowthLimitTest {
    private static final InputStream ENDLESS = new InputStream() {
        @Override
        public int read() {
            return 'x';
        }
    };

    @Test
    void c107_aFileMayGrowALittleAndNoMore() throws IOException {
        byte[] most = new byte[(int) GrowthLimit.most(10)];
        assertThat(most).hasSize(10 + (int) GrowthLimit.MIN_GROWTH_BYTES);
        try (InputStream in = new GrowthLimit(new ByteArrayInputStream(most), 10)) {
            assertThat(in.readAllBytes()).hasSameSizeAs(most);
        }
        InputStream more = new GrowthLimit(new ByteArrayInputStream(new byte[most.length + 1]), 10);
        assertThatThrownBy(more::readAllBytes)
                .hasMessage("it grows while it is copied: it had 10 bytes, and more than 1048586 came");
    }

    @Test
    void c107_aLongFileMayGrowByAPartOfItsSize() {
        assertThat(GrowthLimit.most(80L << 20)).isEqualTo(90L << 20);
        assertThat(GrowthLimit.most(Long.MAX_VALUE)).isEqualTo(Long.MAX_VALUE);
    }

    @Test
    void c107_aFileWithoutAnEndIsNotTaken() {
        InputStream endless = new GrowthLimit(ENDLESS, 1);
        assertThatThrownBy(() -> endless.transferTo(OutputStream.nullOutputStream()))
                .isInstanceOf(IOException.class)
                .hasMessageStartingWith("it grows while it is copied");
    }
}
