package dev.execserver.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.execserver.it.support.ProcFs;
import dev.execserver.it.support.RemoteProcess;
import dev.execserver.it.support.SharedServer;
import dev.execserver.it.support.Start;
import dev.execserver.it.support.WireClient;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

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
