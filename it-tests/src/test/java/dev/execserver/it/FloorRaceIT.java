package dev.execserver.it;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.execserver.it.support.Json;
import dev.execserver.it.support.Policies;
import dev.execserver.it.support.RemoteProcess;
import dev.execserver.it.support.ServerProcess;
import dev.execserver.it.support.Start;
import dev.execserver.it.support.VarTmp;
import dev.execserver.it.support.WireClient;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Two commands of one client cannot get more together than the operator's floor gives each of them. */
@Timeout(120)
class FloorRaceIT {
    private static final int STARTS = 150;

    @TempDir(factory = VarTmp.class)
    private Path base;

    @Test
    void aLinkPutWhereADirectoryIsAboutToBeMountedLeadsNowhere() throws IOException {
        Path workspace = Files.createDirectory(base.resolve("ws"));
        Path root = Files.createDirectory(workspace.resolve("root"));
        Path outside = Files.createDirectory(base.resolve("out")).resolve("f");
        Files.writeString(outside, "untouched");
        Path floor = base.resolve("floor.json");
        Files.writeString(
                floor,
                Json.object(
                                "type",
                                "managed",
                                "network",
                                "restricted",
                                "file_system",
                                Json.object(
                                        "type",
                                        "restricted",
                                        "entries",
                                        List.of(Policies.entry("root", "read"), plain(workspace))))
                        .toString());
        try (ServerProcess server = ServerProcess.listening("--sandbox-floor", floor.toString());
                WireClient client = WireClient.connect(server.port())) {
            client.handshake();
            String swap = "chdir '" + workspace + "'; $| = 1; print \"ready\\n\"; for (;;) { rename 'root', 'r2';"
                    + " symlink '../out', 'root'; select undef, undef, undef, 0.003; unlink 'root'; rename 'r2', 'root';"
                    + " select undef, undef, undef, 0.003 }";
            RemoteProcess swapping = client.start(confined(Start.of("/usr/bin/perl", "-e", swap), workspace));
            swapping.awaitText("ready");
            String writing = "echo x > " + outside + "; echo x > " + root + "/f";
            for (int i = 0; i < STARTS; i++) {
                RemoteProcess process = client.sendStart(confined(Start.shell(writing), root));
                if (!process.started().failed()) {
                    process.closed();
                }
            }
            swapping.terminate();
            swapping.closed();
            assertThat(outside).hasContent("untouched");

            // Whether any of them ran is a matter of luck; one that nobody disturbs does.
            if (Files.isSymbolicLink(root)) {
                Files.delete(root);
            }
            Files.createDirectories(root);
            client.start(confined(Start.shell(writing), root)).closed();
            assertThat(root.resolve("f")).hasContent("x");
            assertThat(outside).hasContent("untouched");
        }
    }

    private static ObjectNode plain(Path path) {
        return Json.object("path", Json.object("type", "path", "path", path.toString()), "access", "write");
    }

    private Start confined(Start start, Path writable) {
        return start.with("cwd", base.toUri().toString())
                .with("sandbox", Policies.of(base, Policies.entry("root", "read"), Policies.entry(writable, "write")));
    }
}
