package dev.execserver.server.files;

import static org.assertj.core.api.Assertions.assertThat;

import dev.execserver.helper.fs.DisclosurePolicy;
import dev.execserver.protocol.fs.FsLimits;
import dev.execserver.protocol.fs.SearchParams;
import dev.execserver.protocol.paths.PathUri;
import dev.execserver.protocol.rpc.JsonWritable;
import dev.execserver.protocol.rpc.MessageBuffer;
import dev.execserver.protocol.rpc.MessageEncoder;
import dev.execserver.sandbox.glob.CommandRunner;
import dev.execserver.sandbox.glob.Ripgrep;
import dev.execserver.sandbox.glob.SpawnerCommandRunner;
import dev.execserver.sandbox.io.Poller;
import dev.execserver.sandbox.paths.LinuxPath;
import dev.execserver.sandbox.paths.PolicyRefusedException;
import dev.execserver.sandbox.spawn.Spawner;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests that a search has the same answer with ripgrep, without it, and with a ripgrep that fails. */
@Timeout(60)
class RipgrepSearchTest {
    private static final Path RIPGREP = Path.of("/usr/bin/rg");

    private final Poller poller = new Poller();
    private final Spawner spawner = new Spawner(poller);
    private final AtomicInteger runs = new AtomicInteger();

    @TempDir
    private Path directory;

    @BeforeEach
    void makeTree() throws IOException {
        Files.createDirectories(directory.resolve("a/.hidden/deep"));
        Files.createDirectories(directory.resolve(".git"));
        Files.writeString(directory.resolve(".gitignore"), "ignored\n*.log\n");
        Files.writeString(directory.resolve("ignored"), "a needle in an ignored file\n");
        Files.writeString(directory.resolve("a/x.log"), "two\r\nneedle\r\nand needle\r\n");
        Files.writeString(directory.resolve("a/.hidden/deep/f"), "a\u00e4\u20acneedle needle\nNeedle");
        Files.writeString(directory.resolve("-e"), "needle");
        Files.write(directory.resolve("a/early"), "\0needle".getBytes(StandardCharsets.UTF_8));
        Files.writeString(directory.resolve("a/late"), "x".repeat(20_000) + "\0\nneedle\n");
        Files.write(directory.resolve("a/latin"), "\u00e4needle \u00e4".getBytes(StandardCharsets.ISO_8859_1));
        Files.write(directory.resolve("a/utf16"), "\ufeffneedle".getBytes(StandardCharsets.UTF_16LE));
        Files.writeString(directory.resolve("a/none"), "nothing to see");
        Files.createFile(directory.resolve("a/empty"));
        Files.createSymbolicLink(directory.resolve("link"), directory.resolve("a/x.log"));
    }

    @AfterEach
    void close() {
        spawner.close();
        poller.close();
    }

    private Optional<RipgrepSearch> installed() {
        CommandRunner real = new SpawnerCommandRunner(spawner, SpawnerCommandRunner.LIMIT);
        assertThat(RIPGREP).as("ripgrep is needed for this test").isExecutable();
        CommandRunner counted = (program, arguments, cwd) -> {
            runs.incrementAndGet();
            return real.run(program, arguments, cwd);
        };
        return fake(counted);
    }

    private static Optional<RipgrepSearch> fake(CommandRunner runner) {
        return Optional.of(new RipgrepSearch(new Ripgrep(LinuxPath.of(RIPGREP.toString()), true, runner)));
    }

    private String search(Optional<RipgrepSearch> ripgrep, String pattern, boolean regex, boolean caseSensitive) {
        JsonWritable result = new InProcessFiles(() -> ripgrep)
                .run(
                        new SearchParams(
                                PathUri.ofNative(directory.toString()),
                                pattern,
                                regex,
                                caseSensitive,
                                100,
                                Optional.empty()),
                        DisclosurePolicy.FULL);
        MessageBuffer out = new MessageBuffer();
        MessageEncoder.value(out, result);
        return new String(out.toByteArray(), StandardCharsets.UTF_8);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "needle",
                "e",
                " ",
                "\u00e4",
                "\r",
                "Needle",
                "needle needle",
                "no such text",
                "-e",
                "--files",
                "."
            })
    void theAnswerIsTheSameWithAndWithoutIt(String pattern) {
        assertThat(search(installed(), pattern, false, true)).isEqualTo(search(Optional.empty(), pattern, false, true));
        assertThat(runs).hasValue(1);
    }

    @Test
    void filesUpToTheLargestSizeThatIsSearchedAreFoundByIt() throws IOException {
        for (int tooMany = 0; tooMany <= 1; tooMany++) {
            int size = FsLimits.SEARCH_FILE_BYTES + tooMany;
            Files.writeString(directory.resolve("a/large" + tooMany), "x".repeat(size - 7) + "\nneedle");
        }
        String found = search(installed(), "needle", false, true);
        assertThat(found).isEqualTo(search(Optional.empty(), "needle", false, true));
        assertThat(found).contains("large0").doesNotContain("large1");
    }

    @Test
    void whatItUnderstandsOtherwiseItIsNotAsked() {
        assertThat(search(installed(), "n[e]+dle", true, true)).contains("x.log");
        assertThat(search(installed(), "NEEDLE", false, false)).contains("x.log");
        assertThat(search(installed(), "\uFFFDneedle", false, true)).contains("latin");
        assertThat(runs).hasValue(0);
    }

    @Test
    void whateverIsWrongWithItTheSearchIsDoneWithoutIt() {
        String right = search(Optional.empty(), "needle", false, true);
        assertThat(search(fake((p, a, c) -> new CommandRunner.Output(2, new byte[0], "no")), "needle", false, true))
                .isEqualTo(right);
        assertThat(search(fake((p, a, c) -> new CommandRunner.Output(1, new byte[0], "odd")), "needle", false, true))
                .isEqualTo(right);
        assertThat(search(
                        fake((p, a, c) -> {
                            throw new PolicyRefusedException("it took too long");
                        }),
                        "needle",
                        false,
                        true))
                .isEqualTo(right);
    }
}
