package dev.execserver.sandbox.paths;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.execserver.sandbox.paths.FileView.Child;
import dev.execserver.sandbox.paths.FileView.Kind;
import dev.execserver.sandbox.paths.FileView.NotAccessibleException;
import dev.execserver.sandbox.paths.PathWalk.Located;
import dev.execserver.sandbox.resolve.Tree;
import java.nio.charset.StandardCharsets;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(30)
class KernelFileViewTest {
    private final FileView files = new KernelFileView();
    private final Tree tree = new Tree();

    @AfterEach
    void fell() {
        tree.close();
    }

    @Test
    void kindsAreTold() throws NotAccessibleException {
        tree.file("f", "abc").directory("d").link("l", "f");
        tree.shell("", "mkfifo p");
        assertThat(files.status(tree.path("f"))).hasValueSatisfying(status -> {
            assertThat(status.kind()).isEqualTo(Kind.REGULAR);
            assertThat(status.size()).isEqualTo(3);
        });
        assertThat(files.status(tree.path("l")).orElseThrow().kind()).isEqualTo(Kind.SYMLINK);
        assertThat(files.status(tree.path("p")).orElseThrow().kind()).isEqualTo(Kind.OTHER);
        assertThat(files.list(tree.path("")))
                .containsExactlyInAnyOrder(
                        child("f", Kind.REGULAR),
                        child("d", Kind.DIRECTORY),
                        child("l", Kind.SYMLINK),
                        child("p", Kind.OTHER));
    }

    @Test
    void whatIsGoneIsEmpty() throws NotAccessibleException {
        tree.file("f", "");
        for (String path : new String[] {"none", "f/x", "n".repeat(300)}) {
            assertThat(files.status(tree.path(path))).isEmpty();
            assertThat(files.list(tree.path(path))).isEmpty();
            assertThat(files.read(tree.path(path), 10)).isEmpty();
        }
    }

    @Test
    void filesAreReadUpToABound() throws NotAccessibleException {
        tree.file("f", "0123456789").file("empty", "");
        assertThat(files.read(tree.path("f"), 4))
                .hasValueSatisfying(b -> assertThat(b).asString().isEqualTo("0123"));
        assertThat(files.read(tree.path("f"), 100))
                .hasValueSatisfying(b -> assertThat(b).hasSize(10));
        assertThat(files.read(tree.path("empty"), 100))
                .hasValueSatisfying(b -> assertThat(b).isEmpty());
    }

    @Test
    void linksAreNotFollowed() {
        tree.file("f", "x").directory("d").link("l", "f").link("ld", "d");
        assertThatThrownBy(() -> files.read(tree.path("l"), 10)).isInstanceOf(NotAccessibleException.class);
        assertThat(tree.path("ld")).satisfies(path -> assertThatThrownByListing(path));
    }

    /** ENOTDIR, as for a path that is not a directory. */
    private void assertThatThrownByListing(LinuxPath path) throws NotAccessibleException {
        assertThat(files.list(path)).isEmpty();
    }

    @Test
    void largeDirectoriesAreListedWhole() throws NotAccessibleException {
        tree.shell("", "mkdir many; cd many; seq 1 5000 | xargs touch");
        assertThat(files.list(tree.path("many")))
                .extracting(child -> Integer.parseInt(new String(child.name(), StandardCharsets.UTF_8)))
                .containsExactlyInAnyOrderElementsOf(
                        IntStream.rangeClosed(1, 5000).boxed().toList());
    }

    @Test
    void pathsAreFollowedLinkByLink() {
        tree.file("a/b/f", "").link("l", "a/b").link("a/up", "../l/./../b").link("abs", tree.root() + "/l");
        assertThat(locate("l/f").path()).isEqualTo(tree.path("a/b/f"));
        assertThat(locate("a/up/f").path()).isEqualTo(tree.path("a/b/f"));
        assertThat(locate("a/up/f").links())
                .extracting(CrossedLink::path)
                .containsExactly(tree.path("a/up"), tree.path("l"));
        assertThat(locate("abs").path()).isEqualTo(tree.path("a/b"));
        Located missing = locate("l/m/n");
        assertThat(missing.path()).isEqualTo(tree.path("a/b/m/n"));
        assertThat(missing.firstMissing()).contains(tree.path("a/b/m"));
    }

    @Test
    void asManyLinksAreFollowedAsTheKernelDoes() {
        tree.file("l0", "");
        for (int i = 1; i <= PathWalk.MAX_LINKS + 1; i++) {
            tree.link("l" + i, "l" + (i - 1));
        }
        assertThat(locate("l" + PathWalk.MAX_LINKS).exists()).isTrue();
        assertThat(locate("l" + (PathWalk.MAX_LINKS + 1)).obstacle())
                .hasValueSatisfying(text -> assertThat(text).startsWith("too many levels of symbolic links at "));
    }

    private Located locate(String path) {
        return new PathWalk(files).locate(tree.path(path));
    }

    private static Child child(String name, Kind kind) {
        return new Child(name.getBytes(StandardCharsets.UTF_8), kind);
    }
}
