package dev.execserver.it;

import static org.assertj.core.api.Assertions.assertThat;

import dev.execserver.it.support.RemoteProcess;
import dev.execserver.it.support.SandboxScene;
import dev.execserver.it.support.ServerCommand;
import dev.execserver.it.support.ServerProcess;
import dev.execserver.it.support.Start;
import dev.execserver.it.support.WireClient;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** C07: in a locale without UTF-8, as containers and cron have it, files whose names are not ASCII are used and protected. */
@Timeout(120)
class PosixLocaleIT {
    private static final String TOKEN = "a-token-of-the-test-0123456789";

    /** The name in the words of printf(1): the locale of this JVM may not have the letter. */
    private static final String NAME = "t\\303\\266k";

    private final SandboxScene scene = new SandboxScene();

    @AfterEach
    void close() {
        scene.close();
    }

    /** Runs a shell script and returns what it prints; {@code $1} is the folder of the scene, {@code $n} the name, the rest a command. */
    private String shell(String script, List<String> command) throws IOException {
        List<String> words = new ArrayList<>(
                List.of("sh", "-c", "d=$1; shift; n=$(printf '" + NAME + "'); " + script, "sh", base().toString()));
        words.addAll(command);
        Process process = new ProcessBuilder(words).redirectErrorStream(true).start();
        process.getOutputStream().close();
        return new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    }

    private Path base() {
        return scene.base();
    }

    @ParameterizedTest
    @ValueSource(strings = {"LC_ALL=C", "-uLC_ALL -uLANG -uLC_CTYPE"})
    void theFileOfATokenIsHiddenFromCommands(String locale) throws IOException {
        shell("printf " + TOKEN + " >$d/$n; chmod 600 $d/$n", List.of());
        String start = "exec env " + locale + " \"$@\" --ws-auth capability-token --ws-token-file \"" + base()
                + "/$(printf '" + NAME + "')\" --state-dir " + base() + "/state";
        try (ServerProcess server = ServerProcess.listening(List.of("sh", "-c", start, "sh"), Map.of());
                WireClient client = WireClient.connect(server.port(), Map.of("Authorization", "Bearer " + TOKEN))) {
            client.handshake();

            RemoteProcess reader =
                    client.start(Start.shell("cat " + base() + "/t*k").with("sandbox", scene.sandbox()));

            reader.closed();
            assertThat(reader.text()).doesNotContain(TOKEN).contains("Permission denied");
            client.call("session/end").result();
        } finally {
            shell("rm -r $d/state $d/$n", List.of());
        }
    }

    @Test
    void aFolderIsTheWorkingDirectoryAndCommandsSeeTheLocaleAsItWas() throws IOException {
        String printed = shell(
                "mkdir $d/$n; cd $d/$n; LC_ALL=C \"$@\" -- sh -c 'pwd; echo \"<$LC_ALL>\"; env | grep -c EXEC_SERVER'; cd /; rmdir $d/$n",
                ServerCommand.of(List.of("sandbox")));

        assertThat(printed).isEqualTo(base() + "/tök\n<C>\n0\n");
    }

    @ParameterizedTest
    @ValueSource(strings = {"C", "C.UTF-8"})
    void c07_aWorkingDirectoryThatIsNotUtf8IsKeptByItsBytes(String locale) throws IOException {
        String enter = "n=$(printf 'n\\377'); mkdir -p $d/$n; cd $d/$n; export LC_ALL=" + locale + "; ";
        String printed = shell(
                enter + "\"$@\" -- sh -c 'pwd | od -An -c | tail -n 1' | tr -d ' '",
                ServerCommand.of(List.of("sandbox")));
        assertThat(printed).endsWith("n377\\n\n");

        String start = "d=" + base() + "; " + enter + "exec \"$@\"";
        try (ServerProcess server = ServerProcess.listening(List.of("sh", "-c", start, "sh"), Map.of());
                WireClient client = WireClient.connect(server.port())) {
            client.handshake();
            assertThat(client.call("environment/info").result().get("cwd").textValue())
                    .isEqualTo("file://" + base() + "/n%FF");
        } finally {
            shell("rmdir $d/n*", List.of());
        }
    }
}
