package dev.execserver.sandbox.spawn;

import static org.assertj.core.api.Assertions.assertThat;

import dev.execserver.sandbox.linux.LimitCalls;
import dev.execserver.sandbox.linux.LimitCalls.Limit;
import org.junit.jupiter.api.Test;

class ProcessMarksTest {
    private static final Limit FREE = new Limit(LimitCalls.UNLIMITED, LimitCalls.UNLIMITED);

    @Test
    void marksShareThePrefixAndAreUnique() {
        ProcessMarks marks = new ProcessMarks(123_456_789, FREE);

        assertThat(marks.unavailable()).isEmpty();
        assertThat(marks.next().value()).isEqualTo(123_456_789_000_000_000L);
        assertThat(marks.next().value()).isEqualTo(123_456_789_000_000_001L);
    }

    @Test
    void prefixesAlwaysHaveNineDigits() {
        for (int i = 0; i < 1000; i++) {
            assertThat(ProcessMarks.create().prefix()).isBetween(100_000_000L, 999_999_999L);
        }
    }

    @Test
    void aLimitedServerCannotMarkAndSaysSo() {
        ProcessMarks marks = new ProcessMarks(123_456_789, new Limit(5_000_000, LimitCalls.UNLIMITED));

        assertThat(marks.next()).isEqualTo(ProcessMark.NONE);
        assertThat(marks.unavailable())
                .hasValueSatisfying(
                        reason -> assertThat(reason).contains("RLIMIT_RTTIME").contains("soft 5000000"));
    }

    @Test
    void theOriginalDescriptorLimitIsTheParentsWhenTheJvmHasRaisedOurs() {
        Limit raised = new Limit(20_000, 20_000);

        assertThat(FileLimit.originalSoft(raised, new Limit(1024, 20_000))).isEqualTo(1024);
        assertThat(FileLimit.originalSoft(raised, new Limit(1024, 9_000))).isEqualTo(20_000);
        assertThat(FileLimit.originalSoft(raised, raised)).isEqualTo(20_000);
        assertThat(FileLimit.originalSoft(new Limit(500, 20_000), new Limit(1024, 20_000)))
                .isEqualTo(500);
    }
}
