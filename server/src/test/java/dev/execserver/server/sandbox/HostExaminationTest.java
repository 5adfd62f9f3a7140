package dev.execserver.server.sandbox;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.execserver.sandbox.probe.HostCapabilities;
import dev.execserver.sandbox.probe.Wsl;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.CompletionException;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class HostExaminationTest {
    private static final Duration LONG = Duration.ofDays(1);

    private final Deque<Supplier<HostCapabilities>> looks = new ArrayDeque<>();

    private static HostCapabilities machine(boolean seccomp, boolean settled) {
        return new HostCapabilities(
                List.of(),
                Optional.of("none"),
                Optional.of("none"),
                false,
                false,
                seccomp,
                OptionalInt.empty(),
                true,
                Wsl.NONE,
                Optional.empty(),
                List.of(),
                settled);
    }

    private HostExamination examination(Duration pause) {
        return new HostExamination(() -> looks.pop().get(), pause);
    }

    @Test
    void whatIsSettledIsNotLookedAtAgain() {
        looks.add(() -> machine(true, true));
        try (HostExamination examination = examination(Duration.ZERO)) {
            assertThat(examination.result()).isSameAs(examination.result());
        }
    }

    @Test
    void whatHadNoAnswerIsLookedAtAgainByWhoeverNeedsIt() {
        looks.add(() -> machine(false, false));
        looks.add(() -> machine(true, true));
        try (HostExamination examination = examination(Duration.ZERO)) {
            assertThat(examination.known().seccomp()).isFalse();
            assertThat(examination.known().seccomp()).isFalse();
            assertThat(examination.result().seccomp()).isTrue();
            assertThat(examination.known().seccomp()).isTrue();
        }
    }

    @Test
    void aLookThatFailsIsNotTheLast() {
        looks.add(() -> {
            throw new IllegalStateException("no processes left");
        });
        looks.add(() -> machine(true, true));
        try (HostExamination examination = examination(Duration.ZERO)) {
            assertThatThrownBy(examination::known)
                    .isInstanceOf(CompletionException.class)
                    .hasMessageContaining("no processes left");
            assertThat(examination.result().seccomp()).isTrue();
        }
    }

    @Test
    void betweenTwoLooksThereIsAPause() {
        looks.add(() -> machine(false, false));
        try (HostExamination examination = examination(LONG)) {
            assertThat(examination.result().seccomp()).isFalse();
            assertThat(examination.result().seccomp()).isFalse();
        }
    }
}
