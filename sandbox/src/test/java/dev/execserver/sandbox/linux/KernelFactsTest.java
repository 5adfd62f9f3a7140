package dev.execserver.sandbox.linux;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.lang.foreign.Arena;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

class KernelFactsTest {
    @Test
    void errorsAreToldAsClientsExpectThem() {
        assertThat(Errno.text(Errno.ENOENT)).isEqualTo("No such file or directory (os error 2)");
        assertThat(Errno.text(Errno.EACCES)).isEqualTo("Permission denied (os error 13)");
        assertThat(Errno.name(Errno.EAGAIN)).isEqualTo("EAGAIN");
        assertThat(Errno.name(999)).isEqualTo("errno 999");
        assertThat(Errno.text(999)).isEqualTo("Unknown error 999 (os error 999)");
        assertThat(new LinuxException("pipe2", "", Errno.EMFILE))
                .hasMessage("pipe2: Too many open files (os error 24)");
    }

    @Test
    void otherSystemsAndMachinesAreRefusedInWords() {
        assertThat(Architecture.of("Linux", "aarch64")).isEqualTo(Architecture.AARCH64);
        assertThatThrownBy(() -> Architecture.of("Mac OS X", "aarch64"))
                .isInstanceOf(UnsupportedPlatformException.class)
                .hasMessageContaining("Linux only");
        assertThatThrownBy(() -> Architecture.of("Linux", "i386")).hasMessageContaining("i386");
    }

    @Test
    void openDescriptorsAreCountedWhateverHolesThereAre() {
        try (Fd low = PipeCalls.eventCounter();
                Fd _ = PipeCalls.eventCounter();
                Fd _ = PipeCalls.eventCounter()) {
            low.close();
            // Other threads of this process open and close descriptors at the same time.
            await().untilAsserted(() -> {
                long before = ProcFiles.openDescriptors();
                try (Fd _ = PipeCalls.eventCounter()) {
                    assertThat(ProcFiles.openDescriptors()).isEqualTo(before + 1);
                    assertThat(ProcFiles.countDescriptors()).isEqualTo(before + 1);
                }
            });
        }
    }

    @Test
    void ownProcessIsSeenInProc() throws Exception {
        int self = ProcessCalls.ownPid();
        ProcFiles.Stat stat = ProcFiles.stat(self).orElseThrow();

        assertThat((long) self).isEqualTo(ProcessHandle.current().pid());
        assertThat(stat.parent()).isEqualTo(ProcessCalls.parentPid());
        assertThat(stat.dead()).isFalse();
        assertThat(stat.threads()).isGreaterThan(5);
        try (Arena arena = Arena.ofConfined()) {
            assertThat(ProcFiles.pids(arena.allocate(4096, 8)))
                    .contains(1, self)
                    .isSorted();
        }
        assertThat(ProcFiles.openFilesLimit(self)).contains(LimitCalls.own(LimitCalls.RLIMIT_NOFILE));
        assertThat(Files.readString(Path.of("/proc/self/limits"))).contains("Max realtime timeout");
    }

    @Test
    void aProcessThatIsGoneIsEmptyNotAnError() {
        int nobody = 0x3fffffff;

        assertThat(ProcFiles.stat(nobody)).isEmpty();
        assertThat(ProcFiles.realtimeLimit(nobody)).isZero();
        assertThat(LimitCalls.of(nobody, LimitCalls.RLIMIT_NOFILE)).isEmpty();
        assertThat(ProcessCalls.tryPidfdOpen(nobody)).isEmpty();
        assertThat(ProcessCalls.kill(nobody, ProcessCalls.SIGTERM)).isFalse();
    }
}
