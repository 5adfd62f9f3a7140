package dev.execserver.cli.rules;

import static org.assertj.core.api.Assertions.assertThat;

import dev.execserver.protocol.paths.PathUri;
import dev.execserver.protocol.process.ExecApprovalAnswer.Decision;
import dev.execserver.protocol.process.ExecDecidedNotification;
import dev.execserver.protocol.process.ExecEndedNotification;
import dev.execserver.protocol.process.ExecutedProgram;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

class ExecTraceTest {
    private final ExecTrace trace = new ExecTrace();
    private long seq;

    private void decided(OptionalLong pid, long parent, Decision decision, long atMs, String... argv) {
        seq++;
        trace.add(new ExecDecidedNotification(
                "p",
                seq,
                seq,
                new ExecutedProgram(
                        pid,
                        pid.isEmpty() ? OptionalLong.empty() : OptionalLong.of(parent),
                        PathUri.ofNative("/bin/" + argv[0]),
                        List.of(argv),
                        PathUri.ofNative("/")),
                false,
                decision,
                decision == Decision.RUN ? "fallback" : "rule",
                decision == Decision.RUN ? Optional.empty() : Optional.of("a.rules:3"),
                atMs));
    }

    @Test
    void programsStandBelowTheirParentsWithTimesAndEnds() {
        decided(OptionalLong.empty(), 0, Decision.RUN, 1_000, "sh", "-c", "x");
        decided(OptionalLong.of(20), 10, Decision.RUN, 1_020, "make", "all");
        decided(OptionalLong.of(30), 20, Decision.DENY, 2_500, "rm");
        decided(OptionalLong.of(20), 10, Decision.RUN, 2_600, "cc");
        decided(OptionalLong.of(40), 10, Decision.ESCALATE, 2_700, "touch", "f");
        trace.add(new ExecEndedNotification("p", ++seq, 5, 7));

        assertThat(trace.lines())
                .containsExactly(
                        "   0.000 /bin/sh -c x",
                        "   0.020   /bin/make all",
                        "   1.500     /bin/rm  [deny by rule a.rules:3, exit 126]",
                        "   1.600   /bin/cc",
                        "   1.700   /bin/touch f  [escalate by rule a.rules:3, exit 7]");
    }
}
