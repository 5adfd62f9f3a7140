package dev.execserver.sandbox.resolve;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import dev.execserver.sandbox.paths.KernelFileView;
import dev.execserver.sandbox.paths.LinuxPath;
import dev.execserver.sandbox.paths.PathWalk;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Indexes that git itself has written, in each of their versions. */
class GitIndexTest {
    private static final String COMMIT = "1".repeat(40);

    @TempDir
    private Path tree;

    private void git(String... arguments) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of("git", "-c", "core.splitIndex=false"));
        command.addAll(List.of(arguments));
        assertThat(new ProcessBuilder(command)
                        .directory(tree.toFile())
                        .inheritIO()
                        .start()
                        .waitFor())
                .isZero();
    }

    private void link(String commit, String path) throws IOException, InterruptedException {
        git("update-index", "--add", "--cacheinfo", "160000," + commit + "," + path);
    }

    private GitIndex read() throws IOException {
        return GitIndex.read(Files.readAllBytes(tree.resolve(".git/index"))).orElseThrow();
    }

    @ParameterizedTest
    @CsvSource({"2, sha1", "3, sha1", "4, sha1", "2, sha256", "4, sha256"})
    void gitlinksAreFound(String version, String format) throws Exception {
        String commit = format.equals("sha1") ? COMMIT : "1".repeat(64);
        git("init", "-q", "--object-format=" + format, ".");
        for (String file : List.of("a", "a-long-name-of-a-file.txt", "libs/file", "z/y/x")) {
            Files.createDirectories(tree.resolve(file).getParent());
            Files.writeString(tree.resolve(file), file);
        }
        git("add", ".");
        link(commit, "libs/a");
        link(commit, "libs/ab");
        link(commit, "z/y/longer/than/the/others");
        git("update-index", "--index-version", version);
        if (version.equals("3")) {
            git("update-index", "--skip-worktree", "a");
        }

        assertThat(read().texts()).containsExactly("libs/a", "libs/ab", "z/y/longer/than/the/others");
        assertThat(read().shared()).isEmpty();
    }

    @Test
    void aSplitIndexNamesTheFileWithItsOtherEntries() throws Exception {
        git("init", "-q", ".");
        link(COMMIT, "sub");
        git("update-index", "--split-index");

        Optional<String> shared = read().shared();

        assertThat(shared).isPresent();
        byte[] other = Files.readAllBytes(tree.resolve(".git").resolve(shared.get()));
        assertThat(GitIndex.read(other).orElseThrow().texts()).containsExactly("sub");
    }

    @Test
    void placesThatOnlyTheIndexNamesAreProtected() throws Exception {
        git("init", "-q", ".");
        link(COMMIT, "sub");
        link(COMMIT, "missing");
        Files.createDirectory(tree.resolve("sub"));
        KernelFileView files = new KernelFileView();
        LinuxPath root = LinuxPath.of(tree.toRealPath().toString());

        assertThat(new GitModules(files, new PathWalk(files)).find(root))
                .map(path -> new String(path.relativeTo(root), UTF_8))
                .containsExactlyInAnyOrder("sub/.git", "missing");
    }

    @Test
    void whatIsNoIndexIsRefusedWhereverItEnds() throws Exception {
        git("init", "-q", ".");
        link(COMMIT, "sub");
        byte[] whole = Files.readAllBytes(tree.resolve(".git/index"));
        for (int length = 0; length < whole.length; length++) {
            byte[] part = Arrays.copyOf(whole, length);
            assertThat(GitIndex.read(part)).isEmpty();
        }
        for (int at = 0; at < whole.length; at++) {
            byte[] other = whole.clone();
            other[at] ^= (byte) 0xff;
            assertThatCode(() -> GitIndex.read(other)).doesNotThrowAnyException();
        }
    }
}
