package dev.execserver.helper.fs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.execserver.protocol.fs.FsLimits;
import dev.execserver.protocol.fs.WalkResult;
import dev.execserver.protocol.rpc.RpcException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Swaps a directory repeatedly for a link to another tree, while its tree is walked, copied or removed. No operation
 * may leave the tree.
 */
@Timeout(60)
class SwappedTreeTest {

    private static final int ROUNDS = 150;

    @TempDir(factory = MemoryTempDir.class)
    private Path directory;

    private Path outside;
    private Path tree;

    @BeforeEach
    void makeTrees() throws IOException {
        outside = Files.createDirectory(directory.resolve("outside"));
        Files.writeString(Files.createDirectory(outside.resolve("branch")).resolve("secret"), "keep");
        Files.writeString(outside.resolve("secret"), "keep");
        tree = directory.resolve("tree");
    }

    private void fillTree() throws IOException {
        for (int i = 0; i < 8; i++) {
            Path inner = Files.createDirectories(tree.resolve("a/swapped/branch/" + i));
            Files.writeString(inner.resolve("file"), "x");
        }
        Files.writeString(tree.resolve("a/swapped/file"), "x");
    }

    /** Runs the work repeatedly while the directory is swapped. The work may throw. */
    private void whileSwapping(Work work) throws Exception {
        AtomicBoolean over = new AtomicBoolean();
        Thread swapper = Thread.ofPlatform().start(() -> swap(over));
        try {
            for (int i = 0; i < ROUNDS; i++) {
                fillTreeBeside();
                try {
                    work.run();
                } catch (RpcException e) {
                    assertThat(e.message()).isNotEmpty();
                }
                assertThat(outside.resolve("secret")).hasContent("keep");
                assertThat(outside.resolve("branch/secret")).hasContent("keep");
            }
        } finally {
            over.set(true);
            swapper.join();
        }
    }

    private interface Work {
        void run() throws IOException;
    }

    private void fillTreeBeside() {
        try {
            fillTree();
        } catch (IOException e) {
            // the swapper interfered; an incomplete tree is good enough
        }
    }

    private void swap(AtomicBoolean over) {
        Path swapped = tree.resolve("a/swapped");
        Path aside = directory.resolve("aside");
        while (!over.get()) {
            try {
                Files.move(swapped, aside);
                Files.createSymbolicLink(swapped, outside);
                Files.delete(swapped);
                Files.move(aside, swapped);
            } catch (IOException e) {
                restore(swapped, aside);
            }
        }
    }

    private static void restore(Path swapped, Path aside) {
        try {
            if (Files.isSymbolicLink(swapped)) {
                Files.delete(swapped);
            }
            if (Files.exists(aside, LinkOption.NOFOLLOW_LINKS)) {
                Files.move(aside, swapped);
            }
        } catch (IOException e) {
            // next round
        }
    }

    @Test
    void aRemovalDeletesNothingElsewhere() throws Exception {
        whileSwapping(() -> Requests.remove(tree));
    }

    @Test
    void aCopyTakesNothingFromElsewhere() throws Exception {
        whileSwapping(() -> {
            Path copy = directory.resolve("copy");
            try {
                Requests.copy(tree, copy);
            } finally {
                assertThat(copy.resolve("a/swapped/secret"))
                        .satisfiesAnyOf(
                                path -> assertThat(path).doesNotExist(),
                                path -> assertThat(path.getParent()).isSymbolicLink());
                Requests.remove(copy);
            }
        });
    }

    @Test
    void aCopyWritesNothingElsewhere() throws Exception {
        Path source = Files.createDirectories(directory.resolve("source/a/swapped/branch"));
        Files.writeString(source.resolve("secret"), "overwritten");
        Files.writeString(source.getParent().resolve("secret"), "overwritten");
        whileSwapping(() -> Requests.copy(directory.resolve("source"), tree));
    }

    @Test
    void aWalkSeesNothingElsewhere() throws Exception {
        whileSwapping(() -> {
            WalkResult result = Requests.walk(tree, FsLimits.WALK_ENTRIES);
            assertThat(result.entries())
                    .noneMatch(entry -> entry.path().display().endsWith("secret"));
        });
    }
}
