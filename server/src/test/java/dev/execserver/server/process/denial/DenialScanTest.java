package dev.execserver.server.process.denial;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.execserver.protocol.paths.PathUri;
import dev.execserver.protocol.permissions.Access;
import dev.execserver.protocol.permissions.Entry;
import dev.execserver.protocol.permissions.FileSystemPolicy;
import dev.execserver.protocol.permissions.NetworkPolicy;
import dev.execserver.protocol.permissions.PermissionProfile;
import dev.execserver.protocol.permissions.SpecialPath;
import dev.execserver.protocol.process.Denial;
import dev.execserver.sandbox.paths.KernelFileView;
import dev.execserver.sandbox.paths.LinuxPath;
import dev.execserver.sandbox.resolve.PolicyDirectories;
import dev.execserver.sandbox.resolve.PolicyResolver;
import dev.execserver.sandbox.resolve.ResolvedPolicy;
import dev.execserver.sandbox.resolve.ServerPaths;
import dev.execserver.server.process.output.EventKind;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class DenialScanTest {

    @TempDir
    private Path directory;

    private Path workspace;
    private Path hidden;
    private DenialScan scan;

    @BeforeEach
    void prepare() throws IOException {
        directory = directory.toRealPath();
        workspace = Files.createDirectory(directory.resolve("ws"));
        hidden = Files.createDirectory(directory.resolve("hidden"));
        scan = scan(false);
    }

    private DenialScan scan(boolean landlock) {
        PermissionProfile profile = new PermissionProfile.Managed(
                FileSystemPolicy.restricted(
                        Entry.of(new SpecialPath.Root(), Access.READ),
                        Entry.of(PathUri.ofNative(workspace.toString()), Access.WRITE),
                        Entry.of(PathUri.ofNative(hidden.toString()), Access.DENY)),
                NetworkPolicy.RESTRICTED);
        ResolvedPolicy policy = new PolicyResolver(new KernelFileView(), Optional::empty, ServerPaths.NOTHING)
                .resolve(
                        profile,
                        new PolicyDirectories(Optional.empty(), List.of(), Optional.empty(), Optional.empty()));
        return new DenialScan(Optional.of(new DenialEvidence(policy, LinuxPath.of(workspace.toString()), landlock)));
    }

    private void say(String text) {
        scan.saw(EventKind.STDERR, text.getBytes(UTF_8));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "sh: 1: cannot create /etc/new: Read-only file system\n",
                "/bin/sh: 1: cannot create /etc/new: Read-only file system\n",
                "/usr/bin/env: /etc/new: Read-only file system\n",
                "/etc/new: Read-only file system\n",
                "bash: line 1: /etc/new: Read-only file system\n",
                "touch: cannot touch '/etc/new': Read-only file system\n",
                "OSError: [Errno 30] Read-only file system: '/etc/new'\n",
                "Error: EROFS: read-only file system, open '/etc/new'\n",
                "fatal: could not open ‘/etc/new’ for writing: Read-only file system"
            })
    void thePathOfAFailedWriteIsFound(String line) {
        say(line);

        assertThat(scan.denied(1)).isTrue();
        assertThat(scan.denial(1)).hasValueSatisfying(denial -> {
            assertThat(denial.kind()).isEqualTo(Denial.FILE_WRITE);
            assertThat(denial.path()).contains("/etc/new");
        });
    }

    @Test
    void whoComplainsIsNotWhatWasRefused() {
        say("/bin/sh: 1: cannot create new: Read-only file system\n");

        assertThat(scan.denied(2)).isTrue();
        assertThat(scan.denial(2)).isEmpty();
    }

    @Test
    void thePathOfAFailedReadIsFound() {
        say("ls: cannot open directory '../hidden': Permission denied\n");

        assertThat(scan.denial(2)).hasValueSatisfying(denial -> {
            assertThat(denial.kind()).isEqualTo(Denial.FILE_READ);
            assertThat(denial.path()).contains(hidden.toString());
            assertThat(denial.rule()).contains(hidden + " is hidden (an entry of the profile)");
        });
    }

    @Test
    void whatThePolicyAllowsIsNoEvidence() {
        say("cat: /etc/shadow: Permission denied\ntouch: " + workspace + "/f: Read-only file system\n");

        assertThat(scan.denied(1)).isTrue();
        assertThat(scan.denial(1)).isEmpty();
    }

    @Test
    void underLandlockWritingIsNotPermittedEither() {
        scan = scan(true);
        say("sh: 1: cannot create /etc/new: Permission denied\n");

        assertThat(scan.denial(2).map(Denial::kind)).contains(Denial.FILE_WRITE);
    }

    @Test
    void theLastComplaintCounts() {
        say("a: /etc/first: Read-only file system\n");
        say("b: /etc/last: Read-only file system\n");

        assertThat(scan.denial(1).flatMap(Denial::path)).contains("/etc/last");
    }

    @Test
    void aWordAndItsLineMayComeInPieces() {
        for (char c : "sh: cannot create /etc/new: Read-only file system\n".toCharArray()) {
            say(String.valueOf(c));
        }

        assertThat(scan.denied(1)).isTrue();
        assertThat(scan.denial(1).flatMap(Denial::path)).contains("/etc/new");
    }

    @Test
    void aWordMayBeCutBetweenTheStreams() {
        scan.saw(EventKind.STDOUT, "permission ".getBytes(UTF_8));
        scan.saw(EventKind.STDERR, "denied".getBytes(UTF_8));

        assertThat(scan.denied(1)).isTrue();
    }

    @Test
    void aFilterThatKillsIsADenial() {
        assertThat(scan.denied(159)).isTrue();
        assertThat(scan.denial(159).map(Denial::kind)).contains(Denial.SYSTEM_CALL);
        assertThat(scan.denied(3)).isFalse();
        say("Permission denied");
        assertThat(scan.denied(0)).isFalse();
    }

    @Test
    void evidenceIsBounded() {
        for (int i = 0; i < 1000; i++) {
            say("x".repeat(10_000) + " /etc/" + i + ": Read-only file system\n");
        }

        assertThat(scan.denial(1).flatMap(Denial::path)).contains("/etc/" + (DenialScan.MAX_LINES - 1));
    }
}
