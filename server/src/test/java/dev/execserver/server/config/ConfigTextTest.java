package dev.execserver.server.config;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ConfigTextTest {
    private static final String DIGEST = "00".repeat(32);

    @TempDir
    private Path folder;

    @Test
    void eachValueComesWithItsOriginAndDefaultsAreComments() throws IOException {
        Path file = Files.writeString(folder.resolve("server.properties"), "# ours\nmax-processes=7\nfs-threads=9\n");

        List<String> lines = ConfigLoader.text(
                Map.of(Options.CONFIG, file.toString(), Options.FS_THREADS, "3"),
                Map.of("EXEC_SERVER_MAX_SESSIONS", "5"));

        assertThat(lines)
                .containsSubsequence("# from the environment variable EXEC_SERVER_MAX_SESSIONS", "max-sessions=5")
                .containsSubsequence("# from " + file + ":2", "max-processes=7")
                .containsSubsequence("# from the command line", "fs-threads=3")
                .contains("# session-ttl (default: 80s)", "# config=" + file);
    }

    @Test
    void theTextIsAPropertiesFileWithTheSameSettings() throws IOException {
        Map<Option<?>, String> given = Map.of(
                Options.MAX_PROCESSES, "7", Options.ALLOWED_HOSTS, "a.example,b.example", Options.ORIGIN_GUARD, "off");
        Path printed = Files.write(folder.resolve("printed"), ConfigLoader.text(given, Map.of()));

        ServerConfig again = ConfigLoader.load(Map.of(Options.CONFIG, printed.toString()), Map.of())
                .server();

        ServerConfig first = ConfigLoader.load(given, Map.of()).server();
        assertThat(again.limits()).isEqualTo(first.limits());
        assertThat(again.http()).isEqualTo(first.http());
        assertThat(again.listen()).isEqualTo(first.listen());
    }

    @Test
    void aSecretIsNotPrinted() {
        List<String> lines = ConfigLoader.text(
                Map.of(Options.WS_AUTH, "capability-token", Options.WS_TOKEN_SHA256, DIGEST), Map.of());

        assertThat(lines).contains("ws-auth=capability-token", "# ws-token-sha256=(hidden)");
        assertThat(String.join("\n", lines)).doesNotContain(DIGEST);
    }

    @Test
    void everyOptionThatSoundsLikeASecretIsOneOrNamesAFile() {
        assertThat(Options.ALL.stream()
                        .filter(option -> option.name().matches(".*(token|secret|password|passphrase|sha256|key).*"))
                        .filter(option -> !(option.type() instanceof ValueType.File)))
                .allMatch(option ->
                        ConfigText.SECRETS.contains(option) || option.name().equals("exec-keep-env"));
    }

    @Test
    void aValueWithALineBreakMakesNoSecondSetting() {
        List<String> lines = ConfigLoader.text(Map.of(Options.WS_ISSUER, "a\nlisten=ws://0.0.0.0:1"), Map.of());

        assertThat(lines).noneMatch(line -> line.startsWith("listen="));
        assertThat(lines).allMatch(line -> line.indexOf('\n') < 0);
    }
}
