package dev.execserver.sandbox.resolve;

import static dev.execserver.sandbox.resolve.Profiles.directories;
import static dev.execserver.sandbox.resolve.Profiles.resolve;
import static org.assertj.core.api.Assertions.assertThat;

import dev.execserver.protocol.permissions.Access;
import dev.execserver.protocol.permissions.NetworkPolicy;
import dev.execserver.protocol.permissions.PermissionProfile;
import dev.execserver.sandbox.paths.LinuxPath;
import dev.execserver.sandbox.paths.MemoryFiles;
import java.util.List;
import org.junit.jupiter.api.Test;

class PolicyAccessTest {
    private final MemoryFiles files = new MemoryFiles()
            .files("/ws/a", "/run/es/token", "/proc/1/environ", "/proc/self/mem", "/proc/cpuinfo")
            .link("/ws/t", "../run/es/token")
            .link("/ws/p", "/proc/self/mem")
            .link("/alias", "run/es")
            .link("/dev/fd", "/proc/self/fd");
    private final PolicyAccess access = new PolicyAccess(files, List.of(LinuxPath.of("/alias")));

    @Test
    void fullReadingNeedsNoHelper() {
        for (String policy : List.of("/:r", "/:r ws:w", "/:w")) {
            assertThat(read(resolve(files, policy), "/ws/a")).isTrue();
            assertThat(read(resolve(files, policy), "/ws/missing")).isTrue();
        }
        for (String policy : List.of("minimal:r ws:w", "/:r /ws/a:deny", "/:r /ws/*.env:deny", "ws:r")) {
            assertThat(read(resolve(files, policy), "/ws/a")).as(policy).isFalse();
        }
    }

    @Test
    void writingNeedsNoHelperOnlyWhereNothingConfinesACommand() {
        assertThat(access.mayWriteInProcess(resolve(files, "/:r ws:w"), LinuxPath.of("/ws/a")))
                .isFalse();
        ResolvedPolicy unconfined = resolve(files, "/:w").withNetwork(NetworkPolicy.ENABLED);
        assertThat(access.mayWriteInProcess(unconfined, LinuxPath.of("/ws/a"))).isTrue();
        assertThat(access.mayWriteInProcess(unconfined, LinuxPath.of("/run/es/token")))
                .isFalse();
        assertThat(access.mayWriteInProcess(resolve(files, "/:w"), LinuxPath.of("/ws/a")))
                .as("a command would be confined")
                .isFalse();
    }

    @Test
    void unrestrictedFilesNeedNoHelperWhateverTheNetwork() {
        ResolvedPolicy policy = resolve(files, Profiles.unrestricted(NetworkPolicy.RESTRICTED), directories());
        assertThat(access.mayWriteInProcess(policy, LinuxPath.of("/ws/a"))).isTrue();
        assertThat(access.mayWriteInProcess(policy, LinuxPath.of("/run/es/token")))
                .isFalse();
    }

    @Test
    void theServersOwnProcessAndFilesAreNeverReadForASandbox() {
        ResolvedPolicy all = resolve(files, "/:r");
        for (String path : List.of(
                "/proc",
                "/proc/self/mem",
                "/sys/kernel/debug",
                "/proc/1/environ",
                "/proc/self/gone",
                "/proc/cpuinfo",
                "/dev/fd/3",
                "/run/es/token",
                "/run/es",
                "/run/es/new",
                "/ws/t",
                "/ws/p",
                "/alias/token")) {
            assertThat(read(all, path)).as(path).isFalse();
        }
        assertThat(read(resolve(files, Profiles.unrestricted(NetworkPolicy.ENABLED), directories()), "/ws/t"))
                .isFalse();
    }

    @Test
    void withoutASandboxOfOursNothingIsKeptBack() {
        assertThat(read(ResolvedPolicy.UNSANDBOXED, "/run/es/token")).isTrue();
        ResolvedPolicy external =
                resolve(files, new PermissionProfile.External(NetworkPolicy.RESTRICTED), directories());
        assertThat(read(external, "/proc/self/mem")).isTrue();
        assertThat(access.mayWriteInProcess(external, LinuxPath.of("/ws/.git"))).isTrue();
    }

    @Test
    void whatCannotBeToldIsDenied() {
        files.closed("/locked").link("/ws/loop", "loop");
        ResolvedPolicy all = resolve(files, "/:r");
        assertThat(read(all, "/locked/x")).isFalse();
        assertThat(read(all, "/ws/loop")).isFalse();
        assertThat(access.access(all, LinuxPath.of("/ws/loop"))).isEqualTo(Access.DENY);
        assertThat(access.access(all, LinuxPath.of("/ws/a"))).isEqualTo(Access.READ);
    }

    private boolean read(ResolvedPolicy policy, String path) {
        return access.mayReadInProcess(policy, LinuxPath.of(path));
    }
}
