package dev.execserver.sandbox.linux;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.OptionalInt;
import org.junit.jupiter.api.Test;

class ProcStatusTest {
    private static final String TEXT =
            "Name:\tNoNewPrivs: 0\nUid:\t1000\t1001\t1000\t1000\nGroups:\t%s\nNoNewPrivs:\t1\nSeccomp:\t2\nSeccomp_filters:\t3\n";

    @Test
    void restrictionsAreRead() {
        assertThat(ProcStatus.ofText(TEXT)).contains(new ProcStatus(1000, 1001, true, true, OptionalInt.of(3)));
    }

    @Test
    void whatIsNotToldCountsAsRestricted() {
        assertThat(ProcStatus.ofText("Uid:\t1\t2\t3\t4\n"))
                .contains(new ProcStatus(1, 2, true, false, OptionalInt.empty()));
    }

    @Test
    void thisProcessIsReadAndNobodyElseIsInvented() {
        assertThat(ProcStatus.of(ProcessCalls.ownPid())).contains(ProcStatus.own());
        assertThat(ProcStatus.of(Integer.MAX_VALUE)).isEmpty();
    }
}
