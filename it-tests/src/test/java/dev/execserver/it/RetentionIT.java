package dev.execserver.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import dev.execserver.it.support.ProcFs;
import dev.execserver.it.support.Program;
import dev.execserver.it.support.RemoteProcess;
import dev.execserver.it.support.SharedServer;
import dev.execserver.it.support.Start;
import dev.execserver.it.support.WireClient;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What happens when a closed process is forgotten. */
@Timeout(60)
class RetentionIT {

    @RegisterExtension
    static final SharedServer SERVER = SharedServer.with("--process-retention", "1s");

    @RegisterExtension
    static final SharedServer FORGETFUL = SharedServer.with("--process-retention", "0");

    @Test
    void outputIsPushedToItsEndHoweverShortTheMemoryIs() {
        WireClient client = FORGETFUL.client();
        List<RemoteProcess> processes = IntStream.range(0, 20)
                .mapToObj(i -> client.start(Start.shell("head -c 3000000 /dev/zero")))
                .toList();

        assertThat(processes).allSatisfy(process -> {
            process.closed();
            assertThat(process.events().output()).hasSize(3_000_000);
        });
    }

    @Test
    void c110_withoutAnyMemoryTheCommandLineGetsOutputAndExitCode(@TempDir Path directory) {
        String url = "ws://127.0.0.1:" + FORGETFUL.port();
        for (int i = 0; i < 5; i++) {
            assertThat(Program.run(directory, "", "run", "--url", url, "--", "sh", "-c", "echo out; exit 3"))
                    .isEqualTo(new Program(3, "out\n", ""));
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void c110_withoutAnyMemoryAClientThatReadsIsAnsweredToTheClose(boolean push) {
        WireClient client = FORGETFUL.client();
        RemoteProcess process = client.start(Start.shell("echo out; exit 3").with("push", push));
        long cursor = 0;
        StringBuilder text = new StringBuilder();
        JsonNode answer;
        do {
            answer = process.sendRead(cursor, 1, 5_000).result();
            cursor = answer.get("nextSeq").longValue() - 1;
            text.append(new String(RemoteProcess.bytes(answer), StandardCharsets.UTF_8));
        } while (!answer.get("closed").booleanValue());
        assertThat(text).hasToString("out\n");
        assertThat(answer.get("exitCode").intValue()).isEqualTo(3);
    }

    @Test
    void aDaemonOutlivesTheMemoryOfTheCommandThatStartedIt() {
        String mark = UUID.randomUUID().toString();
        WireClient client = SERVER.client();
        RemoteProcess process = client.start(Start.shell("setsid sleep 50 >/dev/null 2>&1 </dev/null & exit 0")
                .mark(mark));
        process.closed();
        await().atMost(Duration.ofSeconds(10))
                .until(() -> process.sendRead(0, null, 0).answer().failed());
        assertThat(ProcFs.marked(mark)).hasSize(1);
        ProcFs.marked(mark).forEach(pid -> ProcessHandle.of(pid).ifPresent(ProcessHandle::destroyForcibly));
    }
}
