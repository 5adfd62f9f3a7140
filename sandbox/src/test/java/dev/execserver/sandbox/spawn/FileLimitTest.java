package dev.execserver.sandbox.spawn;

import static org.assertj.core.api.Assertions.assertThat;

import dev.execserver.sandbox.linux.LimitCalls;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Runs in separate JVMs, because the JVM of the tests has already raised its limit. */
@Timeout(60)
class FileLimitTest {
    private static final long HARD = LimitCalls.own(LimitCalls.RLIMIT_NOFILE).hard();

    @Test
    void childrenGetTheOriginalLimitWhenTheJvmLeavesItAlone() {
        assertThat(probe("exec \"$@\"", List.of("-XX:-MaxFDLimit")))
                .isEqualTo("own " + HARD + " few 1024 many 1024 own " + HARD);
    }

    @Test
    void childrenGetTheLimitOfTheParentWhenTheJvmHasRaisedItsOwn() {
        assertThat(probe("\"$@\"; exit $?", List.of())).isEqualTo("own " + HARD + " few 1024 many 1024 own " + HARD);
    }

    private static String probe(String run, List<String> options) {
        try (ProcessFixture fixture = new ProcessFixture()) {
            List<String> command = new ArrayList<>(List.of("/bin/sh", "-c", "ulimit -Sn 1024; " + run, "sh"));
            command.addAll(JavaPrograms.command(options, LimitProbe.class));
            ProcessFixture.Outcome outcome = ProcessFixture.finish(JavaPrograms.start(fixture, command));
            assertThat(outcome.err()).isEmpty();
            return outcome.out().strip();
        }
    }
}
