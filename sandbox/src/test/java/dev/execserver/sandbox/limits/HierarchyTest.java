package dev.execserver.sandbox.limits;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class HierarchyTest {

    @TempDir
    private Path root;

    private String mount(String mountPoint, String shown, String type) {
        return "31 23 0:28 " + shown + " " + root.resolve(mountPoint) + " rw,relatime shared:1 - " + type;
    }

    @Test
    void versionOneIsFoundByItsController() throws IOException {
        Files.createDirectories(root.resolve("memory/own"));
        List<String> mounts = List.of(
                mount("cpu", "/", "cgroup cgroup rw,cpu,cpuacct"), mount("memory", "/", "cgroup cgroup rw,memory"));
        List<String> groups = List.of("4:memory:/own", "1:cpu,cpuacct:/");

        assertThat(Hierarchy.of("memory", mounts, groups))
                .contains(new Hierarchy(false, root.resolve("memory/own"), root.resolve("memory/own")));
        assertThat(Hierarchy.of("pids", mounts, groups)).isEmpty();
    }

    @Test
    void versionTwoCountsOnlyWhereTheControllerIsDelegated() throws IOException {
        Path own = Files.createDirectories(root.resolve("unified/a/b"));
        List<String> mounts = List.of(mount("unified", "/", "cgroup2 cgroup2 rw"));
        List<String> groups = List.of("0::/a/b");

        assertThat(Hierarchy.of("pids", mounts, groups)).isEmpty();
        Files.writeString(own.resolve("cgroup.subtree_control"), "cpu pids\n");
        assertThat(Hierarchy.of("pids", mounts, groups)).contains(new Hierarchy(true, own, own));
        assertThat(Hierarchy.of("memory", mounts, groups)).isEmpty();
    }

    @Test
    void aMountThatShowsAPartOfTheTreeBeginsThere() throws IOException {
        Path own = Files.createDirectories(root.resolve("pids/inner"));
        List<String> mounts = List.of(mount("pids", "/docker/1", "cgroup cgroup rw,pids"));

        assertThat(Hierarchy.of("pids", mounts, List.of("8:pids:/docker/1/inner")))
                .contains(new Hierarchy(false, own, own));
    }
}
