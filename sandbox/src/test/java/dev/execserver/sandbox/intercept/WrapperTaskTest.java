package dev.execserver.sandbox.intercept;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.execserver.sandbox.linux.ProcFiles;
import dev.execserver.sandbox.linux.ProcessCalls;
import java.io.BufferedReader;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class WrapperTaskTest {

    @Test
    void aProcessThatHasEndedAndIsNotReapedIsNotAlive() throws Exception {
        // sleep(1) reaps nobody: its child stays a zombie.
        Process parent = new ProcessBuilder("sh", "-c", "sleep 300 & echo $!; exec sleep 300").start();
        try (BufferedReader out = parent.inputReader()) {
            int child = Integer.parseInt(out.readLine());
            // Until then a shell is the parent, which may reap it.
            await().until(() ->
                    Files.readString(Path.of("/proc/" + parent.pid() + "/comm")).equals("sleep\n"));
            try (WrapperTask task = new WrapperTask(child, ProcessCalls.pidfdOpen(child))) {
                assertThat(task.alive()).isTrue();

                assertThat(ProcessHandle.of(child).orElseThrow().destroyForcibly())
                        .isTrue();
                await().until(() -> ProcFiles.stat(child).orElseThrow().dead());

                assertThat(task.alive()).isFalse();
            }
        } finally {
            parent.destroyForcibly();
        }
    }
}
