package dev.execserver.server.config;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class SpellingHintTest {

    @Test
    void aWordIsLikeTheNameWithTheFewestErrors() {
        assertThat(SpellingHint.nearest("process/strat", List.of("process/start", "process/read")))
                .hasValue("process/start");
        assertThat(SpellingHint.nearest("fs/copy", List.of("process/start"))).isEmpty();
    }

    /** A client may send a name of 16 MiB. A table of its distances would take gigabytes. */
    @Test
    void aVeryLongWordIsLikeNoName() {
        assertThat(SpellingHint.nearest("x".repeat(16 << 20), List.of("process/start")))
                .isEmpty();
    }
}
