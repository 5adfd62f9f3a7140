package dev.execserver.sandbox.limits;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.UserDefinedFileAttributeView;
import java.util.Arrays;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** In a real group of version 2, with whichever controller this machine has there. */
class DelegationTest {
    private Path above;
    private Path group;
    private String controller;
    private boolean enabledHere;
    private Process process;

    @BeforeEach
    void makeGroupWithAProcess() throws IOException {
        above = Hierarchy.ownUnified().orElse(Path.of("/nowhere"));
        List<String> controllers = words(above.resolve("cgroup.controllers"));
        assumeTrue(
                Files.isWritable(above) && !controllers.isEmpty(),
                "no groups of version 2 with a controller can be made");
        controller = controllers.getLast();
        if (!words(above.resolve("cgroup.subtree_control")).contains(controller)) {
            Files.writeString(above.resolve("cgroup.subtree_control"), "+" + controller);
            enabledHere = true;
        }
        group = Files.createDirectory(above.resolve("exec-server-test-" + UUID.randomUUID()));
        process = new ProcessBuilder("sleep", "600").start();
        Files.writeString(group.resolve("cgroup.procs"), "" + process.pid());
    }

    @AfterEach
    void remove() throws IOException, InterruptedException {
        if (process == null) {
            return;
        }
        process.destroyForcibly().waitFor();
        for (Path each : List.of(group.resolve("a"), group.resolve(Delegation.OF_SERVER), group)) {
            Files.deleteIfExists(each);
        }
        if (enabledHere) {
            Files.writeString(above.resolve("cgroup.subtree_control"), "-" + controller);
        }
    }

    private static List<String> words(Path file) throws IOException {
        return Files.exists(file)
                ? Arrays.stream(Files.readString(file).strip().split(" "))
                        .filter(word -> !word.isEmpty())
                        .toList()
                : List.of();
    }

    private void delegate() throws IOException {
        Files.getFileAttributeView(group, UserDefinedFileAttributeView.class)
                .write("delegate", ByteBuffer.wrap(new byte[] {'1'}));
    }

    private String groupOfProcess() throws IOException {
        return Files.readAllLines(Path.of("/proc/" + process.pid() + "/cgroup")).stream()
                .filter(line -> line.startsWith("0::"))
                .findFirst()
                .orElseThrow();
    }

    @Test
    void theProcessesOfADelegatedGroupMoveAndControllersAreEnabled() throws IOException {
        delegate();
        Delegation.prepare(group, List.of(controller, "no-such-controller"));

        assertThat(groupOfProcess()).endsWith(group.getFileName() + "/" + Delegation.OF_SERVER);
        Path made = Files.createDirectory(group.resolve("a"));
        assertThat(words(made.resolve("cgroup.controllers"))).contains(controller);
        assertThat(Delegation.of(group.resolve(Delegation.OF_SERVER))).contains(group);
    }

    @Test
    void doingItAgainChangesNothing() throws IOException {
        delegate();
        Delegation.prepare(group, List.of(controller));
        Delegation.prepare(group.resolve(Delegation.OF_SERVER), List.of(controller));

        assertThat(groupOfProcess()).endsWith(group.getFileName() + "/" + Delegation.OF_SERVER);
        assertThat(words(group.resolve("cgroup.subtree_control"))).contains(controller);
    }

    @Test
    void aGroupThatNobodyHasDelegatedIsLeftAlone() throws IOException {
        Delegation.prepare(group, List.of(controller));

        assertThat(groupOfProcess()).endsWith("/" + group.getFileName());
        assertThat(words(group.resolve("cgroup.subtree_control"))).isEmpty();
        assertThat(Delegation.of(group)).isEmpty();
    }
}
