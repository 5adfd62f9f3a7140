package dev.execserver.it;

import static org.assertj.core.api.Assertions.assertThat;

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

/**
 * Two commands with one and the same profile cannot get more together than it gives each of them, without any floor: the first one
 * exchanges a directory by a link while the sandbox of the second one is built, which mounts that directory on itself.
 */
@Timeout(240)
class MountRaceIT {
    private static final int STARTS = 150;

    /** Exchanges two names (renameat2 with RENAME_EXCHANGE), with pauses, so that the moment of a start is a matter of luck. */
    private static final String EXCHANGE =
            "my ($a, $b) = ('sub', 'link'); $| = 1; syscall(%1$d, -100, $a, -100, $b, 2) == 0 or die $!; print \"ready\\n\";"
                    + " for (;;) { syscall(%1$d, -100, $a, -100, $b, 2); select undef, undef, undef, 0.0007 }";

    @TempDir(factory = VarTmp.class)
    private Path base;

    @Test
    void aLinkInThePlaceOfASubmoduleIsNoWayOut() throws IOException {
        Path workspace = Files.createDirectory(base.resolve("ws"));
        Path outside = Files.createDirectory(base.resolve("out"));
        Files.createDirectory(outside.resolve(".git"));
        Path git = Files.createDirectory(workspace.resolve(".git"));
        Files.writeString(git.resolve("HEAD"), "ref: refs/heads/main\n");
        for (String part : List.of("objects", "refs", "modules/sub")) {
            Files.createDirectories(git.resolve(part));
        }
        Files.createDirectory(workspace.resolve("sub"));
        Files.writeString(workspace.resolve("sub/.git"), "gitdir: ../.git/modules/sub\n");
        Files.createSymbolicLink(workspace.resolve("link"), outside);
        try (ServerProcess server = ServerProcess.listening();
                WireClient client = WireClient.connect(server.port())) {
            client.handshake();
            // It runs before the directory is known as a submodule, so nothing holds the name in place for it.
            RemoteProcess exchanging = client.start(
                    confined(Start.of("/usr/bin/perl", "-e", EXCHANGE.formatted(renameCall())), workspace));
            exchanging.awaitText("ready");
            Files.writeString(workspace.resolve(".gitmodules"), "[submodule \"sub\"]\n\tpath = sub\n\turl = x\n");
            // The directory that was mounted has either name.
            String writing = "for i in 1 2 3; do echo x >sub/f; echo x >link/f; done 2>/dev/null";
            for (int i = 0; i < STARTS; i++) {
                RemoteProcess process = client.sendStart(confined(Start.shell(writing), workspace));
                if (!process.started().failed()) {
                    process.closed();
                }
                assertThat(outside.resolve("f")).as("start %d", i).doesNotExist();
            }
            exchanging.terminate();
            exchanging.closed();

            // Whether any of them ran is a matter of luck; one that nobody disturbs does.
            client.start(confined(Start.shell("echo x >f"), workspace)).closed();
            assertThat(workspace.resolve("f")).hasContent("x\n");
        }
    }

    private static int renameCall() {
        return System.getProperty("os.arch").equals("aarch64") ? 276 : 316;
    }

    private static Start confined(Start start, Path workspace) {
        return start.with("cwd", workspace.toUri().toString()).with("sandbox", Policies.workspaceWrite(workspace));
    }
}
