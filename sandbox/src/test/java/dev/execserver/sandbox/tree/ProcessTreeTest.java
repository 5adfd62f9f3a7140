package dev.execserver.sandbox.tree;

import static dev.execserver.sandbox.spawn.ProcessFixture.finish;
import static dev.execserver.sandbox.spawn.ProcessFixture.inParallel;
import static dev.execserver.sandbox.spawn.ProcessFixture.readUntil;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.execserver.sandbox.io.ClosedException;
import dev.execserver.sandbox.linux.LimitCalls;
import dev.execserver.sandbox.linux.ProcFiles;
import dev.execserver.sandbox.linux.ProcessCalls;
import dev.execserver.sandbox.spawn.Child;
import dev.execserver.sandbox.spawn.ProcessFixture;
import dev.execserver.sandbox.spawn.ProcessMark;
import dev.execserver.sandbox.spawn.SpawnRequest;
import dev.execserver.sandbox.spawn.Stdio;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class ProcessTreeTest {
    private static ProcessFixture fixture;
    private static ProcessTree tree;

    @BeforeAll
    static void open() {
        fixture = new ProcessFixture();
        tree = new ProcessTree();
    }

    @AfterAll
    static void close() {
        tree.close();
        fixture.close();
    }

    @Test
    void b02_aDescendantThatLeftTheSessionDiesToo() {
        Child child = fixture.shell("setsid -f sleep 4100; setsid sh -c 'echo $$; exec sleep 4100' & sleep 4100");
        int escaped = number(readUntil(child.stdout(), "\n"));
        assertThat(ProcFiles.stat(escaped).orElseThrow().session()).isEqualTo(escaped);

        assertThat(tree.kill(child)).isTrue();

        assertThat(alive(escaped)).isFalse();
        assertThat(tree.anyAlive(child)).isFalse();
        assertThat(finish(child).status().code()).isEqualTo(137);
    }

    @Test
    void aTreeWhoseLeaderIsDeadDies() {
        Child child = fixture.shell("(setsid sh -c '(sleep 4200 & sleep 4200 & echo $$; wait)' &); exit 0");
        int orphan = number(readUntil(child.stdout(), "\n"));
        assertThat(child.awaitExit().code()).isZero();
        assertThat(tree.anyAlive(child)).isTrue();

        assertThat(tree.kill(child)).isTrue();

        assertThat(alive(orphan)).isFalse();
        child.closeStreams();
    }

    @Test
    void theTreeOfAnotherProcessIsLeftAlone() {
        Child one = fixture.shell("setsid sleep 4300 & sleep 4300");
        Child other = fixture.shell("setsid sleep 4300 & sleep 4300");

        tree.kill(one);

        assertThat(tree.anyAlive(one)).isFalse();
        assertThat(tree.anyAlive(other)).isTrue();
        assertThat(other.exited()).isFalse();
        tree.kill(other.mark());
        assertThat(finish(other).status().code()).isEqualTo(137);
        one.closeStreams();
    }

    @Test
    void aProcessThatForksWithoutEndIsCaught() {
        Child child = fixture.shell("f() { setsid sh -c 'exec sleep 4400' & }; i=0; while :; do f; i=$((i+1)); "
                + "[ $i = 20 ] && echo up; [ $i -gt 400 ] && sleep 4400; done");
        readUntil(child.stdout(), "up\n");

        assertThat(tree.kill(child)).isTrue();

        assertThat(tree.anyAlive(child)).isFalse();
        child.closeStreams();
    }

    @Test
    void manyTreesAtOnceAreEndedByManyCallers() {
        Queue<Child> children = new ConcurrentLinkedQueue<>();
        for (int i = 0; i < 60; i++) {
            children.add(fixture.shell("setsid sleep 4500 & sleep 4500"));
        }
        List<Child> all = new ArrayList<>(children);

        inParallel(60, () -> assertThat(tree.kill(children.remove())).isTrue());

        assertThat(all).allSatisfy(child -> {
            assertThat(tree.anyAlive(child)).isFalse();
            assertThat(child.awaitExit().code()).isEqualTo(137);
        });
        all.forEach(Child::closeStreams);
    }

    @Test
    void withoutMarksDescendantsSessionAndGroupAreFound() {
        Child child = fixture.spawner.spawn(new SpawnRequest(
                "/bin/sh",
                List.of("sh", "-c", "sh -c 'sleep 4600; :' & setsid sh -c 'echo $$; exec sleep 4600' & sleep 4600"),
                ProcessFixture.ENVIRONMENT,
                "/",
                new Stdio.Pipes(false),
                ProcessMark.NONE));
        int escaped = number(readUntil(child.stdout(), "\n"));
        assertThat(tree.anyAlive(child)).isTrue();

        assertThat(tree.kill(child)).isTrue();

        assertThat(alive(escaped)).isFalse();
        assertThat(tree.anyAlive(child)).isFalse();
        // All holders of the output are gone.
        assertThat(finish(child).status().code()).isEqualTo(137);
    }

    /** The mark is on this whole process during a spawn, and ProcessBuilder does not take our lock. */
    @Test
    void whatOthersInThisJvmStartInTheMomentOfASpawnIsSpared() throws Exception {
        ProcessMark mark = fixture.marks.next();
        LimitCalls.Limit before = LimitCalls.own(LimitCalls.RLIMIT_RTTIME);
        LimitCalls.setOwn(LimitCalls.RLIMIT_RTTIME, before.withSoft(mark.value()));
        Process foreign;
        try {
            foreign = new ProcessBuilder("/bin/sh", "-c", "echo up; exec sleep 4650").start();
        } finally {
            LimitCalls.setOwn(LimitCalls.RLIMIT_RTTIME, before);
        }
        assertThat(foreign.inputReader().readLine()).isEqualTo("up");
        assertThat(ProcFiles.realtimeLimit((int) foreign.pid())).isEqualTo(mark.value());

        assertThat(tree.kill(mark)).isTrue();

        assertThat(foreign.isAlive()).isTrue();
        foreign.destroyForcibly().waitFor();
    }

    @Test
    void aClosedTreeRefusesAndItsCallersDoNotHang() {
        ProcessTree closed = new ProcessTree();
        closed.close();

        assertThatThrownBy(() -> closed.anyAlive(fixture.marks.next())).isInstanceOf(ClosedException.class);
    }

    @Test
    void ourOwnProcessBearsNoMarkAfterASpawn() {
        finish(fixture.shell("exit 0"));

        assertThat(ProcFiles.realtimeLimit(ProcessCalls.ownPid())).isZero();
    }

    @Test
    void aMissingMarkIsRefused() {
        assertThatThrownBy(() -> tree.kill(ProcessMark.NONE)).isInstanceOf(IllegalArgumentException.class);
    }

    private static int number(String line) {
        return Integer.parseInt(line.strip());
    }

    private static boolean alive(int pid) {
        return ProcFiles.stat(pid).filter(stat -> !stat.dead()).isPresent();
    }
}
