package dev.execserver.server.config;

import static org.assertj.core.api.Assertions.assertThat;

import dev.execserver.server.rights.LimitName;
import dev.execserver.server.rights.LimitSet;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Text form of limits in options. */
class LimitValuesTest {
    @Test
    void sizesAndTimesAreWrittenAsElsewhereAndComeBackTheSame() {
        String text = "pids=512,memoryBytes=2GiB,timeoutMs=90s";
        LimitSet limits = LimitValues.OF_COMMANDS.parse(text).orElseThrow();

        assertThat(limits.values())
                .isEqualTo(
                        Map.of(LimitName.PIDS, 512L, LimitName.MEMORY_BYTES, 2L << 30, LimitName.TIMEOUT_MS, 90_000L));
        assertThat(LimitValues.OF_COMMANDS.format(limits)).isEqualTo(text);
        assertThat(LimitValues.OF_COMMANDS.parse("none")).contains(LimitSet.NONE);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "pids",
                "pids=",
                "pids=0",
                "pid=5",
                "pids=1,pids=2",
                "memoryBytes=1MiB",
                "timeoutMs=0",
                "pids=-1"
            })
    void whatIsNoLimitIsRefused(String text) {
        assertThat(LimitValues.OF_COMMANDS.parse(text)).isEmpty();
    }

    @Test
    void onlySomeLimitsHoldForSeveralCommandsTogether() {
        assertThat(LimitValues.TOGETHER.parse("pids=9,memoryBytes=1GiB")).isPresent();
        assertThat(LimitValues.TOGETHER.parse("timeoutMs=1s")).isEmpty();
    }
}
