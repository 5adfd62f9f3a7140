package dev.execserver.it;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.execserver.client.ClientOptions;
import dev.execserver.client.ExecServerClient;
import dev.execserver.client.process.Outcome;
import dev.execserver.client.process.ProcessSpec;
import dev.execserver.it.support.RemoteProcess;
import dev.execserver.it.support.SandboxScene;
import dev.execserver.it.support.SharedServer;
import dev.execserver.protocol.process.Denial;
import dev.execserver.protocol.rpc.JsonSlice;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** What clients are told of a denial, and what they make of it. */
@Timeout(60)
class SandboxDenialIT {
    @RegisterExtension
    static final SharedServer SERVER = SharedServer.with();

    private final SandboxScene scene = new SandboxScene();

    @AfterEach
    void cleanUp() {
        scene.close();
    }

    private JsonNode denial(String script) {
        RemoteProcess process = SERVER.client().start(scene.shell(script));
        JsonNode exited = process.exited().params();
        assertThat(exited.get("sandboxDenied").asBoolean()).as(process.text()).isTrue();
        process.closed();
        JsonNode denial = exited.path("denial");
        assertThat(process.read().path("denial")).isEqualTo(denial);
        return denial;
    }

    @Test
    void aWriteOutsideNamesThePathAndTheRule() {
        JsonNode told = denial("echo x > " + scene.base() + "/new");

        assertThat(told.get("kind").asText()).isEqualTo("fileWrite");
        assertThat(told.get("path").asText()).isEqualTo(scene.base() + "/new");
        assertThat(told.get("rule").asText()).isEqualTo("/ may only be read (an entry of the profile)");
        assertThat(told.get("suggestion").asText()).contains("`write` for " + scene.base() + "/new");
    }

    @Test
    void aRelativePathCountsFromTheWorkingDirectory() {
        assertThat(denial("touch ../new").get("path").asText()).isEqualTo(scene.base() + "/new");
        JsonNode told = denial("mkdir -p sub; rmdir sub; touch .git/x");
        assertThat(told.get("path").asText()).isEqualTo(scene.workspace() + "/.git/x");
        assertThat(told.get("rule").asText()).contains("/.git may only be read (a protected name)");
    }

    @Test
    void aNetworkCallNamesTheHost() {
        JsonNode told = denial(
                "bash -c 'exec 3<>/dev/tcp/192.0.2.1/80' || bash -c 'echo connect to 192.0.2.1: Operation not permitted >&2; exit 1'");

        assertThat(told.get("kind").asText()).isEqualTo("network");
        assertThat(told.get("host").asText()).isEqualTo("192.0.2.1");
    }

    @Test
    void whatCannotBeToldIsLeftOut() {
        assertThat(denial("echo the sandbox has a view; exit 3").isMissingNode())
                .isTrue();
        assertThat(denial("echo /etc/passwd: Permission denied; exit 3").isMissingNode())
                .as("the policy lets read it, so somebody else has denied it")
                .isTrue();
    }

    @Test
    void aDeniedWriteIsApprovedAndRetriedWithoutTheSandbox() throws Exception {
        Path wanted = scene.base().resolve("wanted");
        try (ExecServerClient client = ExecServerClient.connect(
                ClientOptions.url("ws://127.0.0.1:" + SERVER.port()).build())) {
            ProcessSpec spec = ProcessSpec.of("sh", "-c", "echo done > " + wanted)
                    .cwd(scene.workspace().toString())
                    .sandbox(JsonSlice.of(scene.sandbox().toString()));

            Outcome first = run(client, spec);
            assertThat(first).isInstanceOfSatisfying(Outcome.SandboxDenied.class, denied -> {
                assertThat(denied.denial().map(Denial::kind)).contains(Denial.FILE_WRITE);
                assertThat(denied.denial().flatMap(Denial::path)).contains(wanted.toString());
            });
            assertThat(wanted).doesNotExist();

            Outcome second = run(client, spec.withoutSandbox()); // approved
            assertThat(second).isEqualTo(new Outcome.Exited(0, Optional.empty()));
            assertThat(wanted).hasContent("done\n");
        }
    }

    private static Outcome run(ExecServerClient client, ProcessSpec spec) throws InterruptedException, IOException {
        try (var process = client.start(spec)) {
            process.discardOutput();
            return process.waitFor();
        }
    }
}
