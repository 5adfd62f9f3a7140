package dev.execserver.helper.fs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.execserver.protocol.fs.SearchParams;
import dev.execserver.protocol.fs.SearchResult;
import dev.execserver.protocol.paths.PathUri;
import dev.execserver.protocol.rpc.RpcException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
class TreeSearchTest {

    @TempDir
    private Path directory;

    @BeforeEach
    void makeTree() throws IOException {
        Files.createDirectories(directory.resolve("b/.hidden"));
        Files.writeString(directory.resolve("a.txt"), "first\r\nsecond one\nThird ONE\n");
        Files.writeString(directory.resolve("b/c.txt"), "no\nä one and one");
        Files.writeString(directory.resolve("b/.hidden/d"), "one");
        Files.write(directory.resolve("binary"), new byte[] {'o', 'n', 'e', 0});
        Files.createSymbolicLink(directory.resolve("link"), Path.of("/etc"));
    }

    private SearchResult search(Path path, String pattern, boolean regex, boolean caseSensitive, int max) {
        return (SearchResult) FileOperations.run(
                new SearchParams(Requests.uri(path), pattern, regex, caseSensitive, max, Optional.empty()));
    }

    @Test
    void linesThatContainTheTextAreFoundInTheOrderOfAWalk() {
        SearchResult result = search(directory, "one", false, true, 100);
        assertThat(result.matches())
                .extracting(match -> directory.relativize(Path.of(match.path().display())) + ":" + match.line() + ":"
                        + match.column() + ":" + match.text())
                .containsExactly("a.txt:2:8:second one", "b/c.txt:2:3:ä one and one", "b/.hidden/d:1:1:one");
        assertThat(result.files()).isEqualTo(3);
        assertThat(result.skipped()).isEqualTo(1);
        assertThat(result.truncated()).isFalse();
    }

    @Test
    void caseAndRegularExpressionsAreAsAskedFor() {
        assertThat(search(directory, "one", false, false, 100).matches()).hasSize(4);
        assertThat(search(directory, "^(first|no)$", true, true, 100).matches()).hasSize(2);
        assertThat(search(directory, "^(first|no)$", false, true, 100).matches())
                .isEmpty();
        assertThat(search(directory.resolve("a.txt"), "o.e", true, true, 100).matches())
                .hasSize(1);
        assertThatExceptionOfType(RpcException.class)
                .isThrownBy(() -> search(directory, "(", true, true, 1))
                .withMessageStartingWith("pattern is no regular expression: ");
    }

    @Test
    void theNumberOfMatchesIsBoundedAndThatIsSaid() {
        SearchResult result = search(directory, "one", false, true, 2);
        assertThat(result.matches()).hasSize(2);
        assertThat(result.truncated()).isTrue();
        assertThat(search(directory, "one", false, true, 3).truncated()).isFalse();
    }

    @Test
    void anExpressionThatGoesTooDeepIsRefusedWithAWayOut() throws IOException {
        Files.writeString(directory.resolve("long"), "ab".repeat(1_000_000));
        SearchParams params =
                new SearchParams(PathUri.ofNative(directory.toString()), "(a|b)+c", true, true, 10, Optional.empty());
        assertThatExceptionOfType(RpcException.class)
                .isThrownBy(() -> TreeSearch.search(params, file -> true))
                .withMessageContaining("[ab]+");
    }

    @Test
    void anExpressionThatWouldTakeForEverEndsWhenTheTimeIsUp() {
        DeadlineText text =
                new DeadlineText(System.nanoTime() + Duration.ofMillis(50).toNanos());
        assertThatExceptionOfType(DeadlineText.TimeUpException.class)
                .isThrownBy(() -> java.util.regex.Pattern.compile("(.*x){25}y")
                        .matcher(text.over("x".repeat(60)))
                        .find());
    }
}
