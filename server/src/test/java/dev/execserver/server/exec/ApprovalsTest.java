package dev.execserver.server.exec;

import static org.assertj.core.api.Assertions.assertThat;

import dev.execserver.protocol.process.ExecApprovalAnswer;
import dev.execserver.protocol.process.ExecApprovalAnswer.Decision;
import dev.execserver.protocol.process.ExecApprovalAnswer.Remember;
import dev.execserver.protocol.process.ExecApprovalRequest;
import dev.execserver.protocol.rpc.JsonWritable;
import dev.execserver.server.exec.ExecReports.Outcome;
import dev.execserver.server.rules.RuleDecision;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

class ApprovalsTest {
    private static final Judgement PROMPT =
            new Judgement(RuleDecision.PROMPT, Optional.empty(), false, false, List.of());

    private final CommandClock clock = new CommandClock();
    private final RememberedAnswers session = new RememberedAnswers();
    private final List<ExecApprovalRequest> questions = new ArrayList<>();

    private Approvals approvals(boolean mayAsk, Function<ExecApprovalRequest, Optional<ExecApprovalAnswer>> answer) {
        ApprovalClient client = new ApprovalClient() {
            @Override
            public Optional<Reply> ask(ExecApprovalRequest question, boolean own, Duration limit) {
                questions.add(question);
                return answer.apply(question).map(Reply::ofClient);
            }

            @Override
            public void report(String method, JsonWritable params) {
                throw new AssertionError("questions are not reports");
            }
        };
        return new Approvals("p", client, mayAsk, Duration.ofSeconds(20), clock, session, DenialForm.FULL);
    }

    private static AskedProgram program(String... argv) {
        return AskedProgram.own(
                "/bin/true".getBytes(StandardCharsets.UTF_8), List.of(argv), List.of(), new byte[] {'/'});
    }

    private static Function<ExecApprovalRequest, Optional<ExecApprovalAnswer>> always(
            Decision decision, Optional<Remember> remember) {
        return question -> Optional.of(new ExecApprovalAnswer(decision, Optional.of("because"), remember));
    }

    @Test
    void theAnswerDecides() {
        Outcome outcome =
                approvals(true, always(Decision.DENY, Optional.empty())).ask(1, program("true"), true, PROMPT);

        assertThat(outcome.decision()).isEqualTo(Decision.DENY);
        assertThat(outcome.words()).startsWith("Execution denied: ").endsWith(": because");
    }

    @Test
    void noAnswerDenies() {
        Outcome outcome = approvals(true, question -> Optional.empty()).ask(1, program("true"), true, PROMPT);

        assertThat(outcome.decision()).isEqualTo(Decision.DENY);
        assertThat(outcome.by()).isEqualTo("timeout");
    }

    @Test
    void aClientThatCannotBeAskedDenies() {
        Outcome outcome =
                approvals(false, always(Decision.RUN, Optional.empty())).ask(1, program("true"), true, PROMPT);

        assertThat(outcome.decision()).isEqualTo(Decision.DENY);
        assertThat(questions).isEmpty();
    }

    @Test
    void argumentsThatCannotBeShownAreNotAskedAbout() {
        Outcome outcome = approvals(true, always(Decision.RUN, Optional.empty()))
                .ask(1, program("true", "x".repeat(Approvals.MAX_ARGUMENT_BYTES)), true, PROMPT);

        assertThat(outcome.decision()).isEqualTo(Decision.DENY);
        assertThat(questions).isEmpty();
    }

    @Test
    void theClockStandsStillDuringAQuestion() {
        Outcome outcome = approvals(true, question -> {
                    long before = clock.nanos();
                    assertThat(clock.stopped()).isTrue();
                    long real = System.nanoTime();
                    while (System.nanoTime() - real < 1_000_000) {
                        Thread.onSpinWait();
                    }
                    assertThat(clock.nanos()).isEqualTo(before);
                    return Optional.of(ExecApprovalAnswer.of(Decision.RUN));
                })
                .ask(1, program("true"), true, PROMPT);

        assertThat(outcome.decision()).isEqualTo(Decision.RUN);
        assertThat(clock.stopped()).isFalse();
    }

    @Test
    void anAnswerForTheCommandIsNotForTheSession() {
        Approvals first = approvals(true, always(Decision.RUN, Optional.of(Remember.COMMAND)));
        first.ask(1, program("true"), true, PROMPT);

        assertThat(first.remembered(program("true"), true, PROMPT)).isPresent();
        assertThat(first.remembered(program("true", "more"), true, PROMPT)).isEmpty();
        assertThat(approvals(true, always(Decision.RUN, Optional.empty())).remembered(program("true"), true, PROMPT))
                .isEmpty();
    }

    @Test
    void anAnswerForTheSessionHoldsInOtherCommands() {
        approvals(true, always(Decision.DENY, Optional.of(Remember.SESSION))).ask(1, program("true"), true, PROMPT);

        assertThat(approvals(true, always(Decision.RUN, Optional.empty())).remembered(program("true"), true, PROMPT))
                .get()
                .extracting(Outcome::decision, Outcome::by)
                .containsExactly(Decision.DENY, "remembered");
    }

    @Test
    void rememberedAnswersAreBounded() {
        Approvals approvals = approvals(true, always(Decision.RUN, Optional.of(Remember.COMMAND)));
        for (int i = 0; i <= RememberedAnswers.MAX_ANSWERS; i++) {
            approvals.ask(i, program("true", Integer.toString(i)), true, PROMPT);
        }

        assertThat(approvals.remembered(program("true", "0"), true, PROMPT)).isEmpty();
        assertThat(approvals.remembered(program("true", "1"), true, PROMPT)).isPresent();
    }
}
