package dev.execserver.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import dev.execserver.it.support.Json;
import dev.execserver.it.support.Program;
import dev.execserver.it.support.SharedServer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** Commands by which people find what runs: {@code run --name --detach}, {@code ps}, {@code logs} and {@code wait}. */
@Timeout(120)
class PeopleCommandsIT {

    private static final Duration LIMIT = Duration.ofSeconds(30);

    @RegisterExtension
    static final SharedServer SERVER = SharedServer.with();

    @TempDir
    private Path directory;

    private final List<String> started = new ArrayList<>();

    private Program run(String command, String... more) throws Exception {
        List<String> line =
                new ArrayList<>(List.of(command, "--url", SERVER.process().url().toString()));
        line.addAll(List.of(more));
        return Program.run(directory, "", line.toArray(String[]::new));
    }

    private String detached(String name, String script) throws Exception {
        Program result = run("run", "--name", name, "-d", "--", "sh", "-c", script);
        assertThat(result.err()).isEmpty();
        assertThat(result.status()).isZero();
        String id = result.out().strip();
        started.add(id);
        return id;
    }

    @AfterEach
    void killAll() throws Exception {
        for (String id : started) {
            run("kill", "--session", id, "--takeover", "run");
        }
    }

    @Test
    void aDetachedProgramIsFoundListedReadAndWaitedFor() throws Exception {
        Path flag = directory.resolve("go");
        String id = detached(
                "build-1",
                "echo first; echo second; echo oops >&2; while [ ! -e " + flag
                        + " ]; do sleep 0.1; done; echo third; exit 3");
        assertThat(id).matches("[0-9a-f-]{36}");
        Program table = run("ps");
        assertThat(table.out().lines().findFirst().orElseThrow())
                .matches("SESSION +NAME +CLIENT +PROCESS_ID +STATE +AGE +CPU +OUTPUT +COMMAND");
        assertThat(table.out().lines())
                .anyMatch(line -> line.matches(id.substring(0, 8)
                        + " +build-1 +detached +run +running +\\d+:\\d\\d +\\d+:\\d\\d +\\d+B +sh -c echo.*"));
        assertThat(run("ps", "-q").out().lines()).contains(id + "/run");
        Files.createFile(flag);
        assertThat(run("wait", "--text", "third", "--limit", "30s", "build-1").status())
                .isZero();
        assertThat(run("wait", id.substring(0, 8)).status()).isEqualTo(3);
        Program logs = run("logs", "build-1/run");
        assertThat(logs.out()).isEqualTo("first\nsecond\nthird\n");
        assertThat(logs.err()).isEqualTo("oops\n");
        assertThat(run("logs", "-n", "1", id).out()).isEqualTo("third\n");
        assertThat(run("ps").out()).doesNotContain("build-1");
        JsonNode row = Json.parse(run("ps", "-a", "--format", "json")
                .out()
                .lines()
                .filter(line -> line.contains("build-1"))
                .findFirst()
                .orElseThrow());
        assertThat(row.get("processes").get(0).get("exitCode").intValue()).isEqualTo(3);
    }

    @Test
    void logsFollowToTheEnd() throws Exception {
        String id = detached("follow", "for i in 1 2 3 4 5; do echo line $i; sleep 0.3; done");
        Program logs = run("logs", "-f", id);
        assertThat(logs.out()).isEqualTo("line 1\nline 2\nline 3\nline 4\nline 5\n");
        assertThat(logs.status()).isZero();
    }

    @Test
    void aProgramThatDoesNotListenIsToldOfAndItsIdAllTheSame() throws Exception {
        Program result = run("run", "-d", "--name", "no-port", "--wait-for-port", "1", "--", "sh", "-c", "exit 4");
        assertThat(result.status()).isEqualTo(1);
        assertThat(result.out().strip()).matches("[0-9a-f-]{36}");
        assertThat(result.err()).isEqualTo("Error: the program has ended with 4 and has not listened on port 1\n");
    }

    @Test
    void attachLooksAtWhatAnotherClientHasAndLeavesItThere() throws Exception {
        Program.Running driver = Program.start(
                directory,
                "run",
                "--url",
                SERVER.process().url().toString(),
                "--name",
                "driven",
                "--",
                "sh",
                "-c",
                "echo ready; read -r x; echo got $x; sleep 2; exit 6");
        await().atMost(LIMIT).until(() -> driver.out().contains("ready"));
        Program.Running viewer = Program.start(
                directory, "attach", "--url", SERVER.process().url().toString(), "driven");
        viewer.type("not for the program\n");
        await().atMost(LIMIT).until(() -> viewer.out().contains("ready"));
        assertThat(viewer.err()).startsWith("another client has this session: you only look");
        driver.type("mine\n");
        await().atMost(LIMIT).until(() -> viewer.out().contains("got mine"));
        assertThat(driver.end()).isEqualTo(new Program(6, "ready\ngot mine\n", ""));
        assertThat(viewer.end().out()).isEqualTo("ready\ngot mine\n");
    }

    @Test
    void attachGoesOnWithWhatNobodyHas() throws Exception {
        String id = detached("left", "echo here; sleep 2; exit 5");
        assertThat(run("attach", "left")).isEqualTo(new Program(5, "here\n", ""));
        assertThat(id).isNotEmpty();
    }

    @Test
    void killFindsByNameWaitsAndTellsTheStatus() throws Exception {
        String id = detached("victim", "trap 'exit 7' TERM; echo ready; while :; do sleep 0.1; done");
        assertThat(run("wait", "--text", "ready", "victim").status()).isZero();
        assertThat(run("kill", "--grace", "20s", "victim"))
                .isEqualTo(new Program(0, "", "victim has ended with status 7\n"));
        assertThat(run("ps", "-q").out()).doesNotContain(id);
        assertThat(run("kill", "victim").err()).isEqualTo("Error: process `run` has exited already\n");
    }

    @Test
    void runTakesWhatIsTypedByHabit() throws Exception {
        assertThat(run("run", "-i", "-e", "A=b", "-w", ".", "--", "sh", "-c", "echo $A; pwd")
                        .out())
                .isEqualTo("b\n" + Path.of("").toAbsolutePath() + "\n");
        assertThat(run("run", "--shell", "echo a; echo b").out()).isEqualTo("a\nb\n");
        Program line = run("run", "echo a; echo b");
        assertThat(line.status()).isEqualTo(127);
        assertThat(line.err()).contains("a line for a shell is written: exec-server run --shell '...'");
        assertThat(run("run", "-u", "root", "id").status()).isEqualTo(2);
    }

    @Test
    void whatIsNotFoundIsToldWithTheNextStep() throws Exception {
        Program result = run("logs", "nothing-of-this-name");
        assertThat(result.status()).isEqualTo(1);
        assertThat(result.err())
                .isEqualTo("Error: no session is found by `nothing-of-this-name`; `exec-server ps --all` lists them\n");
        Program wait = run("wait", "--text", "x", "--port", "1", "y");
        assertThat(wait.status()).isEqualTo(2);
        assertThat(run("run", "--wait-for-port", "80", "true").status()).isEqualTo(2);
        assertThat(run("ps", "--format", "xml").status()).isEqualTo(2);
    }

    @Test
    void theSessionOfAQuestionIsGoneWithIt() throws Exception {
        Program before = run("ps", "-a");
        Program after = run("ps", "-a");
        assertThat(after.out().lines().count()).isEqualTo(before.out().lines().count());
        assertThat(after.out().lines()).noneMatch(line -> line.matches("\\w{8} +- .*"));
    }
}
