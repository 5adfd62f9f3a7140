package dev.execserver.cli.client;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.execserver.client.exec.ExecApprovals;
import dev.execserver.protocol.paths.PathUri;
import dev.execserver.protocol.process.ExecApprovalAnswer;
import dev.execserver.protocol.process.ExecApprovalAnswer.Decision;
import dev.execserver.protocol.process.ExecApprovalAnswer.Remember;
import dev.execserver.protocol.process.ExecApprovalClosedNotification;
import dev.execserver.protocol.process.ExecApprovalRequest;
import dev.execserver.protocol.process.ExecutedProgram;
import java.io.ByteArrayInputStream;
import java.io.PipedInputStream;
import java.io.PipedOutputStream;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class ExecPromptTest {
    private static final ExecApprovalRequest QUESTION = new ExecApprovalRequest(
            "p",
            1,
            new ExecutedProgram(
                    OptionalLong.of(7),
                    OptionalLong.of(1),
                    PathUri.ofNative("/usr/bin/git"),
                    List.of("git", "push", "a\u001bb"),
                    PathUri.ofNative("/work")),
            List.of(),
            Optional.of("it leaves the machine"),
            true);

    private final FakeTerminal local = new FakeTerminal();

    private ExecApprovalAnswer answered(String typed) {
        local.terminal = true;
        local.input = new ByteArrayInputStream(typed.getBytes(UTF_8));
        return new ExecPrompt(local, _ -> {}).decide(QUESTION);
    }

    @Test
    void itShowsTheProgramTheDirectoryAndTheReason() {
        assertThat(answered("y\n")).isEqualTo(ExecApprovalAnswer.of(Decision.RUN));
        assertThat(local.errors.toString(UTF_8))
                .contains(
                        "exec-server: run /usr/bin/git push a",
                        " in /work, sandboxed (it leaves the machine)? [y]es, [n]o, [a]lways: ")
                .doesNotContain("\u001b");
    }

    @Test
    void alwaysIsRememberedForTheSession() {
        assertThat(answered("a\n"))
                .isEqualTo(new ExecApprovalAnswer(Decision.RUN, Optional.empty(), Optional.of(Remember.SESSION)));
    }

    @Test
    void noControlCAndTheEndOfTheInputDeny() {
        assertThat(answered("n\n").decision()).isEqualTo(Decision.DENY);
        assertThat(answered("\u0003").decision()).isEqualTo(Decision.DENY);
        assertThat(answered("").decision()).isEqualTo(Decision.DENY);
    }

    @Test
    void withoutATerminalNothingIsAsked() {
        ExecApprovalAnswer answer = new ExecPrompt(local, _ -> {}).decide(QUESTION);

        assertThat(answer.decision()).isEqualTo(Decision.DENY);
        assertThat(answer.reason()).contains("there is no terminal to ask on");
        assertThat(local.errors.size()).isZero();
    }

    @Test
    void whatTheForwardingThreadReadsAnswersOnlyWhileAQuestionIsOpen() {
        local.terminal = true;
        ExecPrompt prompt = new ExecPrompt(local, _ -> {});
        prompt.forwarded();
        assertThat(prompt.takes(new byte[] {'x'}, 1)).isFalse();
        CompletableFuture<ExecApprovalAnswer> answer = CompletableFuture.supplyAsync(
                () -> prompt.decide(QUESTION), task -> Thread.ofVirtual().start(task));
        await().atMost(Duration.ofSeconds(30)).until(() -> prompt.takes(new byte[] {'?'}, 1));

        assertThat(prompt.takes(new byte[] {'y'}, 1)).as("%s", answer).isTrue();

        assertThat(answer.join().decision()).isEqualTo(Decision.RUN);
        assertThat(prompt.takes(new byte[] {'x'}, 1)).isFalse();
    }

    private static ExecApprovalClosedNotification closed(long execId, String by) {
        return new ExecApprovalClosedNotification("p", execId, Optional.empty(), by);
    }

    private static CompletableFuture<ExecApprovalAnswer> asked(ExecApprovals prompt) {
        return CompletableFuture.supplyAsync(
                () -> prompt.decide(QUESTION), task -> Thread.ofVirtual().start(task));
    }

    private void untilShown() {
        await().atMost(Duration.ofSeconds(30))
                .until(() -> local.errors.toString(UTF_8).contains("[a]lways: "));
    }

    @Test
    void aQuestionThatSomebodyElseHasAnsweredIsTakenAwayAndKeysGoToTheProgramAgain() {
        local.terminal = true;
        ExecPrompt prompt = new ExecPrompt(local, _ -> {});
        LaterApprovals later = new LaterApprovals();
        later.set(prompt);
        prompt.forwarded();
        CompletableFuture<ExecApprovalAnswer> answer = asked(later);
        untilShown();

        later.closed(closed(2, "approver"));
        assertThat(prompt.takes(new byte[] {'?'}, 1)).as("of another question").isTrue();
        later.closed(closed(1, "approver"));

        assertThat(prompt.takes(new byte[] {'x'}, 1)).isFalse();
        assertThat(answer.join().decision()).isEqualTo(Decision.DENY);
        assertThat(local.errors.toString(UTF_8)).endsWith("\r\nexec-server: somebody else has answered\r\n");
    }

    @Test
    void aQuestionThatIsReadFromTheTerminalItselfIsTakenAwayToo() {
        local.terminal = true;
        local.ready = false;
        ExecPrompt prompt = new ExecPrompt(local, _ -> {});
        CompletableFuture<ExecApprovalAnswer> answer = asked(prompt);
        untilShown();

        prompt.closed(closed(1, "timeout"));
        prompt.forwarded();

        assertThat(answer.join().decision()).isEqualTo(Decision.DENY);
        assertThat(local.errors.toString(UTF_8)).endsWith("\r\nexec-server: the time for an answer is over\r\n");
    }

    @Test
    void aQuestionThatWasClosedBeforeItsTurnIsNotShown() {
        local.terminal = true;
        ExecPrompt prompt = new ExecPrompt(local, _ -> {});
        prompt.closed(closed(1, "ended"));

        assertThat(prompt.decide(QUESTION).decision()).isEqualTo(Decision.DENY);

        assertThat(local.errors.size()).isZero();
    }

    @Test
    void theKeysOfThisProgramAreObeyedWhileAQuestionIsOpen() throws Exception {
        local.terminal = true;
        PipedOutputStream keyboard = new PipedOutputStream();
        local.input = new PipedInputStream(keyboard);
        ExecPrompt prompt = new ExecPrompt(local, _ -> {});
        prompt.forwarded();
        CompletableFuture<EscapeKeys.Wish> wish = new CompletableFuture<>();
        FakeHost host = new FakeHost();
        StdinPump.forwardKeys(
                local,
                TypedInput.to(host),
                new EscapeKeys(Optional.of((byte) 0x1d), wish::complete),
                false,
                Optional.of(prompt),
                _ -> {});
        CompletableFuture<ExecApprovalAnswer> answer = asked(prompt);
        untilShown();

        keyboard.write("\u001dd".getBytes(UTF_8));
        keyboard.flush();

        assertThat(wish.get(30, TimeUnit.SECONDS)).isEqualTo(EscapeKeys.Wish.DETACH);
        assertThat(answer).isNotDone();
        assertThat(host.stdin.size()).isZero();
        prompt.closed(closed(1, "ended"));
        assertThat(answer.join().decision()).isEqualTo(Decision.DENY);
    }
}
