package dev.execserver.sandbox.probe;

import static org.assertj.core.api.Assertions.assertThat;

import dev.execserver.sandbox.bwrap.BwrapCandidates;
import dev.execserver.sandbox.bwrap.BwrapCandidates.Places;
import dev.execserver.sandbox.bwrap.BwrapProgram;
import dev.execserver.sandbox.io.Poller;
import dev.execserver.sandbox.paths.LinuxPath;
import dev.execserver.sandbox.pin.ProgramPins;
import dev.execserver.sandbox.pin.TrustedPlaces;
import dev.execserver.sandbox.probe.Finding.Layer;
import dev.execserver.sandbox.probe.Finding.Status;
import dev.execserver.sandbox.spawn.ProcessMarks;
import dev.execserver.sandbox.spawn.Spawner;
import dev.execserver.sandbox.tree.BoundedRun;
import dev.execserver.sandbox.tree.ProcessTree;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.time.Duration;
import java.util.HexFormat;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
class DoctorTest {
    private static final LinuxPath ROOT = LinuxPath.ROOT;
    private static final HostFacts LINUX = new HostFacts("Linux version 6.18", "6.18.1", Path.of("/nowhere"));

    private final Poller poller = new Poller();
    private final Spawner spawner = new Spawner(poller);
    private final ProcessTree tree = new ProcessTree();
    private final ProcessMarks marks = ProcessMarks.create();
    private final BoundedRun runs = new BoundedRun(spawner, marks, tree);
    private final ProgramPins pins = new ProgramPins(runs);
    private final BridgeProbe bridge = new BridgeProbe(spawner, poller, marks, tree);

    @TempDir
    private Path directory;

    @AfterEach
    void close() {
        pins.close();
        spawner.close();
        tree.close();
        poller.close();
    }

    /** Examines with a time limit that no busy machine reaches. */
    private HostCapabilities examine(HostFacts facts, Places places) {
        return examine(facts, places, Duration.ofSeconds(30));
    }

    private HostCapabilities examine(HostFacts facts, Places places, Duration limit) {
        return new Doctor(runs, bridge, new BwrapCandidates(places, pins, TrustedPlaces.ANYWHERE), facts, true, limit)
                .examine();
    }

    private static Places onPath(String path) {
        return new Places(Optional.empty(), path, ROOT, Optional.empty());
    }

    private Path script(Path folder, String text) throws IOException {
        Path program = Files.writeString(folder.resolve("bwrap"), "#!/bin/sh\n" + text + "\n");
        assertThat(program.toFile().setExecutable(true)).isTrue();
        return program;
    }

    private static Finding finding(HostCapabilities found, Layer layer) {
        return found.findings().stream()
                .filter(finding -> finding.layer() == layer)
                .findFirst()
                .orElseThrow();
    }

    @Test
    void thisMachineHasEverythingThatSandboxesNeed() {
        HostCapabilities found = examine(HostFacts.ofThisMachine(), onPath("/usr/bin:/bin"));

        assertThat(found.bubblewrapWorks()).isTrue();
        assertThat(found.settled()).isTrue();
        assertThat(found.freshProc()).isTrue();
        assertThat(found.seccomp()).isTrue();
        assertThat(found.network()).isEmpty();
        assertThat(finding(found, Layer.NETWORK_BRIDGE).status()).isEqualTo(Status.OK);
        assertThat(found.bubblewraps()).extracting(BwrapProgram::origin).containsExactly(BwrapProgram.Origin.SYSTEM);
    }

    @Test
    @DisplayName("B41: a bwrap that hangs is given up after 2 s, and that is said")
    void hangingProgram() throws IOException {
        script(directory, "exec sleep 60");
        HostCapabilities found = examine(LINUX, onPath(directory.toString()), Duration.ofMillis(200));

        assertThat(Doctor.LIMIT).isEqualTo(Duration.ofSeconds(2));
        assertThat(found.bubblewrapWorks()).isFalse();
        assertThat(finding(found, Layer.BUBBLEWRAP).result()).contains("probe timed out");
        assertThat(found.settled()).isFalse();
    }

    @Test
    void aProbeThatIsKilledSettlesNothing() throws IOException {
        script(directory, """
                case $1 in --help) exec /usr/bin/bwrap --help;; --version) echo fake 1;; esac
                kill -KILL $$""");
        HostCapabilities found = examine(LINUX, onPath(directory.toString()));

        assertThat(found.bubblewrapWorks()).isFalse();
        assertThat(found.settled()).isFalse();
    }

    @Test
    @DisplayName("B32: under WSL1 bubblewrap is not even looked for")
    void wsl1() throws IOException {
        Path trace = directory.resolve("started");
        script(directory, "touch " + trace);
        HostFacts facts = new HostFacts("Linux version 4.4.0-Microsoft", "4.4.0", Path.of("/nowhere"));
        HostCapabilities found = examine(facts, onPath(directory.toString()));

        assertThat(found.wsl()).isEqualTo(Wsl.WSL1);
        assertThat(found.bubblewrapWorks()).isFalse();
        assertThat(trace).doesNotExist();
        assertThat(finding(found, Layer.WSL).remedy()).contains("WSL2");
        assertThat(finding(found, Layer.KERNEL).meaning()).contains("openat2 (5.6)");
    }

    @Test
    @DisplayName("B30: a namespace that is denied is reported with bubblewrap's own words and the remedy")
    void deniedNamespaces() throws IOException {
        script(directory, """
                case $1 in --help) exec /usr/bin/bwrap --help;; --version) echo fake 1;; esac
                echo 'bwrap: No permissions to create new namespace' >&2; exit 1""");
        HostCapabilities found = examine(LINUX, onPath(directory.toString()));

        assertThat(found.bubblewraps()).hasSize(1);
        assertThat(found.namespaces()).contains("bwrap: No permissions to create new namespace");
        assertThat(found.settled()).isTrue();
        assertThat(finding(found, Layer.USER_NAMESPACE).remedy()).contains("unprivileged_userns_clone");
        assertThat(found.warnings()).isNotEmpty();
    }

    @Test
    @DisplayName("B30: loopback that cannot be set up leaves the other namespaces usable")
    void deniedLoopback() throws IOException {
        script(directory, """
                case "$*" in *--unshare-net*) echo 'bwrap: loopback: Failed RTM_NEWADDR' >&2; exit 1;; esac
                exec /usr/bin/bwrap "$@\"""");
        HostCapabilities found = examine(LINUX, onPath(directory.toString()));

        assertThat(found.bubblewrapWorks()).isTrue();
        assertThat(found.network()).contains("bwrap: loopback: Failed RTM_NEWADDR");
    }

    @Test
    void aSandboxThatCannotBeEnteredIsReportedWithTheKernelsWords() throws IOException {
        // The number is above any pid_max.
        script(directory, """
                case "$*" in *--json-status-fd*) echo '{ "child-pid": 2147483646 }'; exec sleep 60;; esac
                exec /usr/bin/bwrap "$@\"""");
        HostCapabilities found = examine(LINUX, onPath(directory.toString()));

        assertThat(found.network()).isEmpty();
        assertThat(finding(found, Layer.NETWORK_BRIDGE)).satisfies(bridge -> {
            assertThat(bridge.status()).isEqualTo(Status.MISSING);
            assertThat(bridge.result()).contains("No such process");
            assertThat(bridge.remedy()).contains("set-user-ID");
        });
    }

    @Test
    void aSandboxThatNamesNoProcessIsGivenUp() throws IOException {
        script(directory, """
                case "$*" in *--json-status-fd*) exec sleep 60;; esac
                exec /usr/bin/bwrap "$@\"""");
        HostCapabilities found = examine(LINUX, onPath(directory.toString()), Doctor.LIMIT);

        assertThat(finding(found, Layer.NETWORK_BRIDGE).result())
                .isEqualTo("bubblewrap did not name a process within 2000 ms");
    }

    @Test
    void procThatCannotBeMountedIsAWarning() throws IOException {
        script(directory, """
                case "$*" in *--proc*) echo "bwrap: Can't mount proc on /newroot/proc: Operation not permitted" >&2; exit 1;; esac
                exec /usr/bin/bwrap "$@\"""");
        HostCapabilities found = examine(LINUX, onPath(directory.toString()));

        assertThat(found.bubblewrapWorks()).isTrue();
        assertThat(found.freshProc()).isFalse();
        assertThat(finding(found, Layer.PROC_MOUNT).status()).isEqualTo(Status.WARNING);
    }

    @Test
    void programThatLacksOptionsIsNotUsed() throws IOException {
        script(directory, "echo '--args --perms --tmpfs'");
        HostCapabilities found = examine(LINUX, onPath(directory + ":/usr/bin"));

        assertThat(found.bubblewraps())
                .extracting(program -> program.path().toString())
                .containsExactly("/usr/bin/bwrap");
        assertThat(finding(found, Layer.BUBBLEWRAP).result()).contains(directory + "/bwrap lacks --remount-ro");
    }

    @Test
    void programInTheWorkingDirectoryOfTheServerIsNotUsed() throws IOException {
        script(directory, "exec /usr/bin/bwrap \"$@\"");
        Places places = new Places(
                Optional.empty(),
                directory.toString(),
                LinuxPath.of(directory.toRealPath().getParent().toString()),
                Optional.empty());
        HostCapabilities found = examine(LINUX, places);

        assertThat(found.bubblewraps()).isEmpty();
        assertThat(finding(found, Layer.BUBBLEWRAP).result()).contains("working directory of the server");
    }

    @Test
    void programWhoseLibrariesAreMissingIsNotUsedAndSaysSo() throws IOException {
        script(directory, "echo 'bwrap: error while loading shared libraries: libcap.so.2' >&2; exit 127");
        HostCapabilities found =
                examine(LINUX, new Places(Optional.empty(), directory.toString(), ROOT, Optional.empty()));

        assertThat(finding(found, Layer.BUBBLEWRAP).result())
                .contains("cannot be run here: bwrap: error while loading shared libraries: libcap.so.2");
    }

    @Test
    void bundledProgramIsUsedOnlyWithTheRecordedDigest() throws Exception {
        Path bundled = script(directory, "exec /usr/bin/bwrap \"$@\"");
        Places places = new Places(Optional.empty(), "/nowhere", ROOT, Optional.of(bundled));
        Path digest = directory.resolve("bwrap.sha256");
        Files.writeString(digest, "00\n");
        HostCapabilities changed = examine(LINUX, places);
        assertThat(changed.bubblewraps()).isEmpty();
        assertThat(finding(changed, Layer.BUBBLEWRAP).meaning())
                .contains("the bundled " + bundled + " was changed", "install this program anew");

        byte[] sha = MessageDigest.getInstance("SHA-256").digest(Files.readAllBytes(bundled));
        Files.writeString(digest, HexFormat.of().formatHex(sha) + "  bwrap\n");
        HostCapabilities found = examine(LINUX, places);
        assertThat(found.bubblewraps()).extracting(BwrapProgram::origin).containsExactly(BwrapProgram.Origin.BUNDLED);
        assertThat(found.warnings()).anySatisfy(warning -> assertThat(warning).contains("in the meantime"));
    }
}
