package dev.execserver.it;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.execserver.it.support.Answer;
import dev.execserver.it.support.Json;
import dev.execserver.it.support.OwnMounts;
import dev.execserver.it.support.Policies;
import dev.execserver.it.support.SandboxScene;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A file helper whose first start is disturbed by a mount, with a bubblewrap that sees to it. */
@Timeout(120)
class HelperDisturbedIT {
    private static final Duration LIMIT = Duration.ofSeconds(60);

    /** The first one fails while something is mounted; the second one takes longer than the server needs to end the first. */
    private static final String BUBBLEWRAP = """
            #!/bin/sh
            cd '%s'
            case "$1" in --args)
              if [ -e armed ]; then
                mv armed slow; mount -t tmpfs none m; umount m; echo disturbed >&2; exit 1
              elif [ -e slow ]; then
                rm slow; sleep 1
              fi ;;
            esac
            exec bwrap "$@"
            """;

    @Test
    @DisplayName("C62: the end of a start that was disturbed does not reach the next one")
    void c62_theEndOfADisturbedStartDoesNotReachTheNextOne() throws IOException {
        try (SandboxScene scene = new SandboxScene()) {
            Path program = Files.writeString(scene.base().resolve("bwrap"), BUBBLEWRAP.formatted(scene.base()));
            assertThat(program.toFile().setExecutable(true)).isTrue();
            Files.createDirectory(scene.base().resolve("m"));
            try (OwnMounts stand = OwnMounts.start("true", List.of(), "--bwrap", program.toString())) {
                stand.client().call("sandbox/status").result(); // the examination of the machine is over
                Files.createFile(scene.base().resolve("armed"));
                ObjectNode params =
                        Json.object("path", scene.workspace().resolve("f").toString(), "dataBase64", "eA==");
                params.set("sandbox", Policies.workspaceWrite(scene.workspace()));
                Answer answer = stand.client().send("fs/writeFile", params).answer(LIMIT);
                assertThat(scene.base().resolve("armed"))
                        .as("the first one was disturbed")
                        .doesNotExist();
                assertThat(scene.base().resolve("slow"))
                        .as("there was a second one")
                        .doesNotExist();
                assertThat(answer.failed()).as(() -> answer.errorMessage()).isFalse();
            }
        }
    }
}
