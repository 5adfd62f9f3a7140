package dev.execserver.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.execserver.it.support.Answer;
import dev.execserver.it.support.OwnMounts;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** {@code fs/copy} onto file systems that are full in the middle of it. */
@Timeout(180)
class FullFileSystemCopyIT {
    private static final String FULL = "No space left on device (os error 28)";
    /** What ext4 without the feature dir_nlink allows, itself and its parent left out, see EXT4_LINK_MAX. */
    private static final int MOST_DIRECTORIES = 64_998;

    private static final int FILES = 30;

    private static OwnMounts server;
    private static Path source;

    @BeforeAll
    static void start() {
        server = OwnMounts.start(
                "mkdir few small; mount -t tmpfs -o mode=1777,nr_inodes=20 none few;"
                        + " mount -t tmpfs -o mode=1777,size=1m none small",
                OwnMounts.NOBODY);
        source = server.folder("source");
        server.root("cd " + source + "; for i in $(seq 1 " + FILES + "); do echo $i >f$i; done; mkdir d; echo x >d/x;"
                + " head -c 3000000 /dev/zero | tr '\\0' x >big");
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    private static Answer copy(String from, Path to) {
        return server.client()
                .call(
                        "fs/copy",
                        "sourcePath",
                        source.resolve(from).toUri().toString(),
                        "destinationPath",
                        to.toUri().toString(),
                        "recursive",
                        true);
    }

    /** Everything of the source is there, and nothing else. */
    private static void assertSourceWhole() {
        assertThat(server.root(
                        "cd " + source + "; cat f* | sort -n | tr '\\n' ' '; cat d/x; stat -c %s big; ls -A | wc -l"))
                .isEqualTo(
                        "1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29 30 x\n3000000\n32\n");
    }

    @Test
    void withoutAnInodeTheEntryIsNamedAndWhatWasCopiedStays() {
        Path few = source.resolveSibling("few");

        Answer answer = copy(".", few.resolve("tree"));

        assertThat(answer.failed()).isTrue();
        String failed = answer.error().path("data").path("path").textValue();
        assertThat(failed).startsWith(few + "/tree/");
        assertThat(answer.errorMessage()).isEqualTo(FULL);
        assertThat(server.root("cd " + few + "/tree; for f in f*; do cmp $f " + source + "/$f; done; test ! -e "
                        + failed + "; ls -d f* | wc -l"))
                .as("complete copies of some files")
                .isNotEqualTo("0\n");
        assertSourceWhole();
    }

    @Test
    void withoutRoomTheFileIsNamedThatIsNotComplete() {
        Path small = source.resolveSibling("small");

        Answer answer = copy("big", small.resolve("copy"));

        assertThat(answer.failed()).isTrue();
        assertThat(answer.error().path("data").path("path").textValue()).isEqualTo(small + "/copy");
        assertThat(answer.errorMessage()).isEqualTo(FULL);
        assertThat(server.root("cmp " + source + "/big " + small + "/copy 2>&1 || true"))
                .as("it has the beginning of the content")
                .contains("EOF on " + small + "/copy");
        server.root("rm " + small + "/copy");
        assertThat(copy("f1", small.resolve("copy")).failed()).isFalse();
        assertSourceWhole();
    }

    @Test
    void withTooManyLinksTheDirectoryIsNamed() {
        assumeTrue(
                Files.exists(Path.of("/dev/loop-control")) && Files.exists(Path.of("/usr/sbin/mkfs.ext2")),
                "a file system with few links needs loop devices and e2fsprogs");
        Path links = source.resolveSibling("links");
        server.root("cd " + source + "/..; mkdir links; mkfs.ext2 -q -F -b 1024 -N 70000 image 120M </dev/null;"
                + " mount -o loop image links; rm image; mkdir links/full; cd links/full; seq 1 " + MOST_DIRECTORIES
                + " | xargs mkdir; cd ../..; chown 65534 links/full");
        try {
            Answer answer = copy("d", links.resolve("full/d"));

            assertThat(answer.failed()).isTrue();
            assertThat(answer.error().path("data").path("path").textValue()).isEqualTo(links + "/full/d");
            assertThat(answer.errorMessage()).isEqualTo("Too many links (os error 31)");
            assertSourceWhole();
        } finally {
            server.root("umount " + links);
        }
    }
}
