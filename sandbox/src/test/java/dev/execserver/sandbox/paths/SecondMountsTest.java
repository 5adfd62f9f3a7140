package dev.execserver.sandbox.paths;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class SecondMountsTest {
    private static final String ROOT = "21 1 254:0 / / rw,relatime - ext4 /dev/root rw";
    private static final String PROC = "22 21 0:20 / /proc rw - proc proc rw";

    private static List<String> of(String path, String... mountinfo) {
        return SecondMounts.candidates(LinuxPath.of(path), MountTable.parse(List.of(mountinfo))).stream()
                .map(candidate -> candidate.path() + " is " + candidate.same())
                .toList();
    }

    @Test
    void whatIsMountedOnceIsInOnePlace() {
        assertThat(of("/srv/state", ROOT, PROC)).isEmpty();
        assertThat(of("/srv/state")).isEmpty();
    }

    @Test
    void aDirectoryAboveIsMountedElsewhereToo() {
        assertThat(of("/srv/es/state", ROOT, "30 21 254:0 /srv /data rw - ext4 /dev/root rw"))
                .containsExactly("/data/es/state is /srv/es/state");
    }

    @Test
    void aDirectoryBelowIsMountedElsewhereToo() {
        assertThat(of("/srv/state", ROOT, "30 21 254:0 /srv/state/logs /logs rw - ext4 /dev/root rw"))
                .containsExactly("/logs is /srv/state/logs");
    }

    @Test
    void itIsReachedByWhatTheMountItLiesInShowsElsewhere() {
        String volume = "30 21 8:1 /vol/a /srv rw - ext4 /dev/sda1 rw";
        String whole = "31 21 8:1 / /mnt/my\\040disk rw - ext4 /dev/sda1 rw";
        assertThat(of("/srv/token", ROOT, volume, whole)).containsExactly("/mnt/my disk/vol/a/token is /srv/token");
        assertThat(of("/mnt/my disk/vol/a/token", ROOT, volume, whole))
                .containsExactly("/srv/token is /mnt/my disk/vol/a/token");
    }

    @Test
    void theLastOfSeveralMountsAtOnePlaceCounts() {
        assertThat(of(
                        "/srv/token",
                        ROOT,
                        "30 21 8:1 / /srv rw - ext4 /dev/sda1 rw",
                        "31 30 8:2 / /srv rw - ext4 /dev/sdb1 rw",
                        "32 21 8:2 / /mnt rw - ext4 /dev/sdb1 rw"))
                .containsExactly("/mnt/token is /srv/token");
    }

    @Test
    void otherDirectoriesOfTheFileSystemDoNotCount() {
        assertThat(of("/srv/state", ROOT, "30 21 254:0 /srv/st /data rw - ext4 /dev/root rw"))
                .isEmpty();
    }

    @Test
    void whatIsNotThereKeepsItsOwnPathOnly() {
        assertThat(SecondMounts.with(List.of(LinuxPath.of("/no/such")))).containsExactly(LinuxPath.of("/no/such"));
    }
}
