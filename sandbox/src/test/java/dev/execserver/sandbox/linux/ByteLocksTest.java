package dev.execserver.sandbox.linux;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ByteLocksTest {
    @TempDir
    private Path directory;

    private Fd open() {
        byte[] path = directory.resolve("locks").toString().getBytes(StandardCharsets.UTF_8);
        return FileCalls.open(path, FileCalls.O_RDWR | FileCalls.O_CREAT, 0600);
    }

    @Test
    void othersSeeALockAndItsEnd() {
        try (Fd one = open();
                Fd two = open();
                Fd three = open()) {
            assertThat(ByteLocks.held(three, 4711)).isFalse();
            ByteLocks.share(one, 4711);
            ByteLocks.share(two, 4711);
            assertThat(ByteLocks.held(three, 4711)).isTrue();
            assertThat(ByteLocks.held(three, 4710)).isFalse();
            ByteLocks.release(one, 4711);
            assertThat(ByteLocks.held(three, 4711)).isTrue();
            two.close();
            assertThat(ByteLocks.held(three, 4711)).isFalse();
        }
    }
}
