package dev.execserver.sandbox.spawn;

import static dev.execserver.sandbox.spawn.ProcessFixture.inParallel;
import static dev.execserver.sandbox.spawn.ProcessFixture.openDescriptors;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.execserver.sandbox.io.AsyncFd;
import dev.execserver.sandbox.linux.ProcFiles;
import dev.execserver.sandbox.linux.ProcessCalls;
import dev.execserver.sandbox.tree.ProcessTree;
import java.lang.foreign.Arena;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class ManyProcessesTest {
    @Test
    void b04_manyShortCommandsLeaveNeitherZombiesNorDescriptors() {
        try (ProcessFixture fixture = new ProcessFixture()) {
            fixture.run("exit 0");
            int before = openDescriptors();
            Set<Integer> zombiesBefore = zombieChildren(); // others of this JVM have children, too

            AtomicInteger number = new AtomicInteger();
            inParallel(8, () -> {
                for (int i = 0; i < 50; i++) {
                    boolean terminal = number.getAndIncrement() % 2 == 0;
                    ProcessFixture.Outcome outcome = terminal ? fixture.runOnTerminal("echo x") : fixture.run("echo x");
                    assertThat(outcome.out().strip()).isEqualTo("x");
                }
                return null;
            });

            await().until(() -> zombiesBefore.containsAll(zombieChildren()));
            await().atMost(Duration.ofSeconds(10)).until(() -> openDescriptors() <= before);
        }
    }

    /** With blocking reads, 140 such processes, or as many terminals as there are processors, stop every virtual thread. */
    @Test
    void b42_b43_hundredsOfSilentProcessesLeaveVirtualThreadsFree() throws InterruptedException {
        try (ProcessFixture fixture = new ProcessFixture();
                ProcessTree tree = new ProcessTree()) {
            List<Child> children = new ArrayList<>();
            List<Thread> readers = new ArrayList<>();
            for (int i = 0; i < 350; i++) {
                Stdio stdio = i % 7 == 0 ? new Stdio.Terminal(fixture.ptys.open(24, 80)) : new Stdio.Pipes(false);
                Child child = fixture.start(stdio, "/bin/sleep", "4700");
                children.add(child);
                readers.add(reader(child.stdout()));
                child.stderr().ifPresent(err -> readers.add(reader(err)));
            }
            await().until(() -> readers.stream().allMatch(reader -> reader.getState() == Thread.State.WAITING));

            AtomicBoolean ran = new AtomicBoolean();
            Thread other = Thread.ofVirtual().start(() -> ran.set(true));
            assertThat(other.join(Duration.ofSeconds(20))).isTrue();
            assertThat(fixture.run("echo x").out()).isEqualTo("x\n");

            Queue<Child> doomed = new ConcurrentLinkedQueue<>(children);
            inParallel(children.size(), () -> tree.kill(doomed.remove()));
            for (Thread reader : readers) {
                assertThat(reader.join(Duration.ofSeconds(20)))
                        .as("saw the end")
                        .isTrue();
            }
            assertThat(children).allMatch(child -> child.awaitExit().code() == 137);
            children.forEach(Child::closeStreams);
        }
    }

    private static Thread reader(AsyncFd fd) {
        return Thread.ofVirtual().start(() -> ProcessFixture.readAll(fd));
    }

    private static Set<Integer> zombieChildren() {
        try (Arena arena = Arena.ofConfined()) {
            int self = ProcessCalls.ownPid();
            return Arrays.stream(ProcFiles.pids(arena.allocate(64 * 1024, 8)))
                    .filter(pid -> ProcFiles.stat(pid)
                            .filter(stat -> stat.parent() == self && stat.dead())
                            .isPresent())
                    .boxed()
                    .collect(Collectors.toSet());
        }
    }
}
