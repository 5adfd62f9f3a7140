package dev.execserver.it;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.execserver.it.support.Answer;
import dev.execserver.it.support.Json;
import dev.execserver.it.support.Policies;
import dev.execserver.it.support.SharedServer;
import dev.execserver.it.support.VarTmp;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** File calls in sandboxes on a machine where no /proc can be mounted: nobody is there to ask for the name of an open file. */
@Timeout(90)
class HelperWithoutProcIT {

    @RegisterExtension
    static final SharedServer SERVER = SharedServer.with("--sandbox-proc", "off");

    @TempDir(factory = VarTmp.class)
    private Path workspace;

    private Answer ask(String method, Object... members) {
        ObjectNode params = Json.object(members);
        params.set("sandbox", Policies.narrow(workspace));
        return SERVER.client().send(method, params).answer(Duration.ofSeconds(60));
    }

    @Test
    void pathsAreCanonicalAndTreesAreSearched() throws IOException {
        Path folder = Files.createDirectory(workspace.resolve("folder"));
        Files.writeString(folder.resolve("file"), "needle");
        Path link = Files.createSymbolicLink(workspace.resolve("link"), Path.of("folder"));

        assertThat(ask("fs/canonicalize", "path", link + "/file")
                        .result()
                        .get("path")
                        .textValue())
                .isEqualTo(folder.resolve("file").toUri().toString());
        assertThat(ask("fs/search", "path", link.toString(), "pattern", "needle")
                        .result()
                        .get("matches"))
                .hasSize(1);
        assertThat(ask("fs/canonicalize", "path", workspace + "/missing").errorCode())
                .isEqualTo(-32004);
    }
}
