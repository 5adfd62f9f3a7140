package dev.execserver.it;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.execserver.it.support.Answer;
import dev.execserver.it.support.Policies;
import dev.execserver.it.support.RemoteProcess;
import dev.execserver.it.support.ServerProcess;
import dev.execserver.it.support.Start;
import dev.execserver.it.support.WireClient;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A sandbox has a /dev and a /proc of its own: what entries that name something there do to it. */
@Timeout(60)
class SandboxDevicesIT {
    @TempDir
    private Path workspace;

    private ServerProcess server;
    private WireClient client;

    @AfterEach
    void stop() {
        client.close();
        server.close();
    }

    private void serve(String... options) {
        server = ServerProcess.listening(options);
        client = WireClient.connect(server.port());
        client.handshake();
    }

    private Start sandboxed(String script, ObjectNode... entries) {
        List<ObjectNode> all = new ArrayList<>(List.of(Policies.entry("root", "read")));
        all.addAll(List.of(entries));
        return Start.shell(script)
                .with("cwd", "file://" + workspace)
                .with("sandbox", Policies.of(workspace, all.toArray(ObjectNode[]::new)));
    }

    private String said(Start start) {
        RemoteProcess process = client.start(start);
        process.closed();
        return process.text();
    }

    @ParameterizedTest
    @ValueSource(strings = {"null", "zero", "full", "random", "urandom"})
    void anEntryForADeviceThatEverySandboxHasTakesItFromNobody(String device) {
        serve();
        String use = "head -c 1 /dev/" + device + " >/dev/null && echo read; echo x >/dev/null && echo written";
        for (String access : List.of("read", "write")) {
            assertThat(said(sandboxed(use, Policies.entry(Path.of("/dev/" + device), access))))
                    .isEqualTo("read\nwritten\n");
        }
    }

    @Test
    void whatIsDeniedOfOneProcessOfTheHostIsNotThereAnyway() {
        serve();
        Path environment = Path.of("/proc/" + server.pid() + "/environ");

        assertThat(said(sandboxed("cat " + environment + " 2>&1", Policies.entry(environment, "deny"))))
                .contains("No such file or directory");
    }

    @Test
    void whatIsDeniedOfAnEmptyProcIsNotThereEither() {
        serve("--sandbox-proc", "off");

        assertThat(said(sandboxed("ls -A /proc; echo ran", Policies.entry(Path.of("/proc/cpuinfo"), "deny"))))
                .isEqualTo("ran\n");
    }

    @Test
    void whatIsDeniedOfAnInheritedProcIsHidden() {
        serve("--linux-sandbox-pid-namespace", "inherit");
        Path environment = Path.of("/proc/" + server.pid() + "/environ");

        assertThat(said(sandboxed("cat " + environment + " 2>&1", Policies.entry(environment, "deny"))))
                .contains("Permission denied");
    }

    @Test
    void aGlobOverProcessesIsRefusedAtOnce() {
        serve();
        Answer answer =
                client.sendStart(sandboxed("true", Policies.denied("/proc/**"))).started();

        assertThat(answer.errorMessage())
                .isEqualTo(
                        "failed to prepare process sandbox: the unreadable glob `/proc/**` is about /proc, and a sandbox"
                                + " has one with other processes; deny /proc by path");
    }

    @Test
    void aGlobOverDevicesPassesTheLinksToProcesses() {
        serve();

        assertThat(said(sandboxed("cat /dev/zero 2>&1; echo ran", Policies.denied("/dev/**"))))
                .contains("/dev/zero: Permission denied")
                .endsWith("ran\n");
    }
}
