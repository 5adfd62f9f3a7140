package dev.execserver.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(30)
class CompilerThreadsTest {

    /** proc_pid_stat(5), counted after the name, which may contain blanks. */
    private static final int NICE_FIELD = 19 - 3;

    /** sched(7) */
    private static final int LEAST_PRIORITY = 19;

    @Test
    void compilersGiveWayAndNobodyElseDoes() throws IOException {
        int before = nice(Path.of("/proc/thread-self"));
        // the JVM starts and ends compiler threads as it needs them, also while they are listed here
        await().ignoreExceptionsInstanceOf(IOException.class).untilAsserted(() -> {
            CompilerThreads.stepBack();
            assertThat(compilers()).isNotEmpty();
            for (Path thread : compilers()) {
                assertThat(nice(thread)).isEqualTo(Math.min(LEAST_PRIORITY, before + CompilerThreads.STEP));
            }
        });
        assertThat(nice(Path.of("/proc/thread-self"))).isEqualTo(before);
    }

    private static List<Path> compilers() throws IOException {
        List<Path> found = new ArrayList<>();
        try (Stream<Path> threads = Files.list(Path.of("/proc/self/task"))) {
            for (Path thread : threads.toList()) {
                if (Files.readString(thread.resolve("comm")).contains("CompilerThre")) {
                    found.add(thread);
                }
            }
        }
        return found;
    }

    private static int nice(Path thread) throws IOException {
        String stat = Files.readString(thread.resolve("stat"));
        return Integer.parseInt(stat.substring(stat.lastIndexOf(')') + 2).split(" ")[NICE_FIELD]);
    }
}
