package dev.execserver.it;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import dev.execserver.it.support.Answer;
import dev.execserver.it.support.Json;
import dev.execserver.it.support.RemoteProcess;
import dev.execserver.it.support.SandboxRow;
import dev.execserver.it.support.SandboxRow.Stage;
import dev.execserver.it.support.Start;
import dev.execserver.it.support.WireClient;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Every conformance row of the Linux sandbox through {@code process/start}. The server has a /tmp of its own, so that rows find it
 * empty; layouts and looks afterwards run on that server too, without a sandbox.
 */
@Timeout(60)
public abstract class SandboxRows {
    private static final int ROWS = 176;
    private static final Pattern LISTENING = Pattern.compile("LocalPort=>(\\d+)");
    private static final AtomicInteger COUNTER = new AtomicInteger();

    private static Stand stand;

    /**
     * A server that rows are played on.
     *
     * @param scratch folder of the server for what rows need, writable for it; nothing else is in it
     * @param hostNet the network namespace that programs without a sandbox are in
     * @param end releases everything
     */
    public record Stand(WireClient client, String scratch, String hostNet, Runnable end) {}

    public static void playOn(Stand ready) {
        stand = ready;
    }

    @AfterAll
    static void releaseStand() {
        if (stand != null) {
            stand.end().run();
            stand = null;
        }
    }

    protected static Stream<SandboxRow> rows() {
        return SandboxRow.all().stream();
    }

    @Test
    void everyRowIsPlayed() {
        assertThat(rows()).hasSize(ROWS);
        assertThat(rows()).map(SandboxRow::id).doesNotHaveDuplicates();
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("rows")
    void row(SandboxRow recorded) {
        SandboxRow row = recorded.expecting(adjusted(recorded.id(), recorded.expected()));
        Stage stage = new Stage(stand.scratch() + "/r" + COUNTER.incrementAndGet(), stand.hostNet());
        unsandboxed(
                "/",
                "find /tmp -mindepth 1 -delete; mkdir -p " + stage.workspace() + " " + stage.base()
                        + "/outside && printf 'secret\\n' > " + stage.base() + "/outside/secret");
        for (String line : row.layout(stage)) {
            unsandboxed(stage.workspace(), line);
        }
        RemoteProcess beside = row.host(stage).isEmpty() ? null : startBeside(row.host(stage));
        try {
            play(row, stage);
        } finally {
            if (beside != null) {
                beside.terminate();
            }
        }
    }

    private void play(SandboxRow row, Stage stage) {
        RemoteProcess process = stand.client().sendStart(command(row, stage));
        Answer answer = process.started();
        if (answer.failed()) {
            assertThat(row.expectedText("outcome", stage))
                    .as("start failed: %s", answer)
                    .isEqualTo("launch-error");
            for (String text : row.expectedTexts("stderr_contains", stage)) {
                assertThat(answer.errorMessage()).contains(text);
            }
        } else {
            judge(row, stage, process);
        }
        judgeAfter(row, stage);
        unsandboxed("/", "rm -rf " + stage.base());
    }

    private static Start command(SandboxRow row, Stage stage) {
        Start start = Start.of(row.command(stage).toArray(String[]::new))
                .with("cwd", "file://" + stage.workspace())
                .with(
                        "sandbox",
                        Json.object(
                                "permissions",
                                row.profile(stage),
                                "cwd",
                                "file://" + stage.workspace(),
                                "workspaceRoots",
                                List.of("file://" + stage.workspace()),
                                "windowsSandboxLevel",
                                "disabled"));
        row.environment(stage).forEach(start::env);
        row.managedNetwork()
                .ifPresent(network -> start.with("enforceManagedNetwork", true).with("managedNetwork", network));
        return start;
    }

    /** What is expected where the server runs as somebody else than the recorded one. */
    protected JsonNode adjusted(String id, JsonNode expected) {
        return expected;
    }

    private static void judge(SandboxRow row, Stage stage, RemoteProcess process) {
        JsonNode exited = process.exited(Duration.ofSeconds(30)).params();
        process.closed();
        String out = new String(process.events().output("stdout"), UTF_8);
        String err = new String(process.events().output("stderr"), UTF_8);
        String told = "stdout <%s> stderr <%s>".formatted(out, err);
        int code = exited.get("exitCode").intValue();
        switch (row.expected().get("rc").asText()) {
            case "nonzero" -> assertThat(code).as(told).isNotZero();
            case "any" -> {}
            case String number -> assertThat(code).as(told).isEqualTo(Integer.parseInt(number));
        }
        assertThat(row.expectedText("outcome", stage)).as(told).isNotEqualTo("launch-error");
        if (row.expects("stdout")) {
            assertThat(out).as(told).isEqualTo(row.expectedText("stdout", stage));
        }
        if (row.expects("stderr")) {
            assertThat(err).as(told).isEqualTo(row.expectedText("stderr", stage));
        }
        row.expectedTexts("stdout_contains", stage)
                .forEach(text -> assertThat(out).as(told).contains(text));
        row.expectedTexts("stdout_lacks", stage)
                .forEach(text -> assertThat(out).as(told).doesNotContain(text));
        row.expectedTexts("stderr_contains", stage)
                .forEach(text -> assertThat(err).as(told).contains(text));
    }

    private static void judgeAfter(SandboxRow row, Stage stage) {
        if (row.after(stage).isEmpty()) {
            return;
        }
        String seen = unsandboxed(stage.workspace(), "{ " + row.after(stage) + "\n} 2>&1");
        if (row.expects("after")) {
            assertThat(seen).as("afterwards").isEqualTo(row.expectedText("after", stage));
        }
        row.expectedTexts("after_contains", stage)
                .forEach(text -> assertThat(seen).as("afterwards").contains(text));
    }

    private static RemoteProcess startBeside(String script) {
        RemoteProcess process = stand.client().start(Start.shell(script));
        process.started();
        Matcher port = LISTENING.matcher(script);
        assertThat(port.find()).isTrue();
        await().until(() -> unsandboxed(
                        "/",
                        "perl -MIO::Socket::INET -e '" + "print IO::Socket::INET->new(PeerAddr=>\"127.0.0.1:"
                                + port.group(1) + "\") ? 1 : 0'")
                .equals("1"));
        return process;
    }

    private static String unsandboxed(String cwd, String script) {
        RemoteProcess process = stand.client()
                .start(Start.shell(script)
                        .with("cwd", "file://" + cwd)
                        .env("LANG", "C")
                        .env("HOME", "/root"));
        assertThat(process.started().failed()).as("%s", process.started()).isFalse();
        process.closed(Duration.ofSeconds(20));
        return new String(process.events().output("stdout"), UTF_8);
    }
}
