package dev.execserver.server.environment;

import static org.assertj.core.api.Assertions.assertThat;

import dev.execserver.protocol.text.SurrogateEscapedText;
import java.io.ByteArrayOutputStream;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class Utf8RestartTest {
    private static byte[] block(Stream<byte[]> entries) {
        ByteArrayOutputStream block = new ByteArrayOutputStream();
        entries.forEach(entry -> {
            block.writeBytes(entry);
            block.write(0);
        });
        return block.toByteArray();
    }

    /** Returns the variables that commands get from a server that was started again. */
    private static Map<String, String> afterwards(String... entries) {
        var before = Stream.of(entries).map(SurrogateEscapedText::encode).toList();
        return ServerEnvironment.parse(block(Utf8Restart.inUtf8(before).stream()));
    }

    @Test
    void theProgramRunsInALocaleWithUtf8() {
        var changed = Utf8Restart.inUtf8(
                Stream.of("LC_ALL=C", "A=b").map(SurrogateEscapedText::encode).toList());

        assertThat(changed.stream().map(SurrogateEscapedText::decode))
                .containsExactly("A=b", "LC_ALL=C.UTF-8", "EXEC_SERVER_LC_ALL_BEFORE==C");
    }

    @Test
    void commandsGetTheVariablesAsTheyWere() {
        assertThat(afterwards("LC_ALL=C", "A=b")).isEqualTo(Map.of("LC_ALL", "C", "A", "b"));
        assertThat(afterwards("LC_ALL=", "A=b")).isEqualTo(Map.of("LC_ALL", "", "A", "b"));
        assertThat(afterwards("A=b")).isEqualTo(Map.of("A", "b"));
    }

    @Test
    void ofTwoEqualNamesTheFirstCounts() {
        assertThat(afterwards("LC_ALL=C", "LC_ALL=POSIX")).isEqualTo(Map.of("LC_ALL", "C"));
    }
}
