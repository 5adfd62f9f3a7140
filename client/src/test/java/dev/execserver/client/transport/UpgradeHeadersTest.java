package dev.execserver.client.transport;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class UpgradeHeadersTest {
    @Test
    void theTokenIsAskedForAnewEachTime() throws IOException {
        AtomicInteger asked = new AtomicInteger();
        UpgradeHeaders headers = UpgradeHeaders.NONE.withToken(() -> "t" + asked.incrementAndGet());

        assertThat(headers.lines()).isEqualTo("Authorization: Bearer t1\r\n");
        assertThat(headers.lines()).isEqualTo("Authorization: Bearer t2\r\n");
    }

    @Test
    void aSupplierThatFailsFailsTheConnectionInWords() {
        UpgradeHeaders failing = UpgradeHeaders.NONE.withToken(() -> {
            throw new IllegalStateException("the vault is closed");
        });
        assertThatThrownBy(failing::lines)
                .isInstanceOf(IOException.class)
                .hasMessage("no bearer token: the vault is closed");
    }

    @Test
    void aTokenThatCannotStandInAHeaderIsRefusedAndNotRepeated() {
        UpgradeHeaders headers = UpgradeHeaders.NONE.withToken(() -> "se cret\r\nX: y");
        assertThatThrownBy(headers::lines).isInstanceOf(IOException.class).hasMessageNotContaining("cret");
    }

    @Test
    void furtherHeadersAreSentByName() throws IOException {
        UpgradeHeaders headers = UpgradeHeaders.NONE.with("X-Team", "build two").with("Accept-Language", "de");
        assertThat(headers.lines()).isEqualTo("Accept-Language: de\r\nX-Team: build two\r\n");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "a b", "a:", "a\n", "ä", "Host", "authorization", "Sec-WebSocket-Key", "UPGRADE"})
    void aNameThatIsNoneOrOursIsRefused(String name) {
        assertThatIllegalArgumentException().isThrownBy(() -> UpgradeHeaders.NONE.with(name, "value"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", " a", "a ", "a\r\nb: c", "a\u0000", "ä"})
    void aValueThatWouldBreakTheHeaderIsRefused(String value) {
        assertThatIllegalArgumentException().isThrownBy(() -> UpgradeHeaders.NONE.with("X-Name", value));
    }
}
