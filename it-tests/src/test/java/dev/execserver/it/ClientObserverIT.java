package dev.execserver.it;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.execserver.client.ClientOptions;
import dev.execserver.client.ExecServerClient;
import dev.execserver.client.process.ProcessSpec;
import dev.execserver.client.process.RemoteProcess;
import dev.execserver.client.session.Backlog;
import dev.execserver.client.session.ProcessObserver;
import dev.execserver.it.support.SharedServer;
import dev.execserver.protocol.process.OutputChunk;
import dev.execserver.protocol.process.WaitCondition;
import dev.execserver.protocol.session.SessionInfo;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Sessions that the Java client finds, observes and waits for, against the real server. */
@Timeout(60)
class ClientObserverIT {
    @RegisterExtension
    static final SharedServer SERVER = SharedServer.with();

    private static final Duration LIMIT = Duration.ofSeconds(30);

    private static ClientOptions.Builder options() {
        return ClientOptions.url("ws://127.0.0.1:" + SERVER.port());
    }

    @Test
    void aSessionIsFoundByItsNameAndItsProcessIsSeenToItsEnd() throws Exception {
        try (ExecServerClient driver = ExecServerClient.connect(
                        options().sessionName("client-observer").build());
                ExecServerClient other = ExecServerClient.connect(options().build());
                RemoteProcess process = driver.start(ProcessSpec.of("sh", "-c", "echo hello; read -r x; echo bye")
                        .stdin())) {
            assertThat(process.waitFor(new WaitCondition.OutputText("hello"), LIMIT)
                            .met())
                    .isTrue();
            SessionInfo found = other.sessions().list().stream()
                    .filter(row -> row.name().equals(Optional.of("client-observer")))
                    .findFirst()
                    .orElseThrow();
            ProcessObserver observer = other.sessions()
                    .observer(found.sessionId(), found.processes().getFirst().processId(), Backlog.ALL);
            StringBuilder seen = new StringBuilder();
            boolean written = false;
            while (!observer.ended()) {
                for (OutputChunk chunk : observer.next(LIMIT).output().chunks()) {
                    seen.append(new String(chunk.bytes(), UTF_8));
                }
                if (!written) {
                    written = true;
                    process.write("x\n".getBytes(UTF_8));
                }
            }
            assertThat(seen).hasToString("hello\nbye\n");
            assertThat(observer.waitFor(new WaitCondition.Closed(), LIMIT).exitCode())
                    .hasValue(0);
            process.discardOutput();
            driver.end();
        }
    }
}
