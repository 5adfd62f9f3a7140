package dev.execserver.server.helper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.awaitility.Awaitility.await;

import dev.execserver.protocol.fs.FileRequest;
import dev.execserver.protocol.fs.FsMethodNames;
import dev.execserver.protocol.rpc.Dialect;
import dev.execserver.protocol.rpc.JsonSlice;
import dev.execserver.protocol.rpc.RpcException;
import dev.execserver.sandbox.io.Buffers;
import dev.execserver.sandbox.io.Poller;
import dev.execserver.sandbox.plan.LaunchPlan;
import dev.execserver.sandbox.spawn.Child;
import dev.execserver.sandbox.spawn.ProcessMarks;
import dev.execserver.sandbox.spawn.SpawnRequest;
import dev.execserver.sandbox.spawn.Spawner;
import dev.execserver.sandbox.spawn.Stdio;
import dev.execserver.server.concurrent.Threads;
import dev.execserver.server.concurrent.Timers;
import dev.execserver.server.memory.AnswerMemory;
import dev.execserver.server.memory.MemoryBudget;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Tests the pool, with idle processes instead of helpers. */
@Timeout(60)
class HelperPoolTest {

    private static final int SIGKILL = 9;
    private static final Duration LONG = Duration.ofMinutes(1);
    private static final Duration SHORT = Duration.ofMillis(200);

    private final Poller poller = new Poller();
    private final Spawner spawner = new Spawner(poller);
    private final ProcessMarks marks = ProcessMarks.create();
    private final Timers timers = new Timers();
    private final List<Child> children = new CopyOnWriteArrayList<>();
    private final Object session = "a session";
    private HelperPool pool = pool(2, false, LONG, LONG);

    @AfterEach
    void end() {
        pool.close();
        children.forEach(child -> {
            child.signal(SIGKILL);
            child.awaitExit();
        });
        timers.close();
        spawner.close();
        poller.close();
    }

    private HelperPool pool(int helpers, boolean oneRequestEach, Duration idle, Duration patience) {
        return new HelperPool(timers, new HelperPool.Bounds(helpers, oneRequestEach, idle, patience));
    }

    private HelperProcess start() {
        return start("exec cat >/dev/null");
    }

    private HelperProcess start(String script) {
        Child child = spawner.spawn(new SpawnRequest(
                "/bin/sh",
                List.of("/bin/sh", "-c", script),
                List.of("PATH=/usr/bin:/bin"),
                "/",
                new Stdio.Channel(),
                marks.next()));
        children.add(child);
        return HelperProcess.of(
                new StartedHelper(child, () -> child.signal(SIGKILL)), new Buffers(4), Duration.ofMillis(300));
    }

    private HelperPool.Key view(int number) {
        return view(session, number);
    }

    private static HelperPool.Key view(Object owner, int number) {
        return new HelperPool.Key(owner, new LaunchPlan.Direct(), List.of(), number);
    }

    private HelperPool.Lease lease(HelperPool.Key key) throws InterruptedException {
        return pool.lease(key, this::start);
    }

    private HelperProcess useOnce(HelperPool.Key key) throws InterruptedException {
        try (HelperPool.Lease lease = lease(key)) {
            return lease.helper();
        }
    }

    @Test
    void oneViewOfOneSessionIsServedByOneHelper() throws InterruptedException {
        HelperProcess first = useOnce(view(1));
        assertThat(useOnce(view(1))).isSameAs(first);
        assertThat(useOnce(view(2))).isNotSameAs(first);
        assertThat(first.alive()).isTrue();
        assertThat(children).hasSize(2);
    }

    @Test
    void sessionsDoNotShareHelpersAndTakeTheirOwnWithThem() throws InterruptedException {
        HelperProcess mine = useOnce(view("mine", 1));
        HelperProcess yours = useOnce(view("yours", 1));
        assertThat(yours).isNotSameAs(mine);
        pool.ownerEnded("mine");
        assertThat(mine.alive()).isFalse();
        assertThat(yours.alive()).isTrue();
        assertThat(pool.size()).isEqualTo(1);
    }

    @Test
    void theOneThatWasNotUsedForTheLongestTimeMakesRoom() throws InterruptedException {
        HelperProcess first = useOnce(view(1));
        HelperProcess second = useOnce(view(2));
        assertThat(useOnce(view(1))).isSameAs(first);
        HelperProcess third = useOnce(view(3));
        assertThat(second.alive()).isFalse();
        assertThat(first.alive()).isTrue();
        assertThat(third.alive()).isTrue();
        assertThat(pool.size()).isEqualTo(2);
    }

    @Test
    void whatIsInUseIsNotGivenUpAndWhoeverWaitsTooLongIsTold() throws InterruptedException {
        pool = pool(2, false, LONG, SHORT);
        try (HelperPool.Lease one = lease(view(1));
                HelperPool.Lease two = lease(view(2))) {
            RpcException busy = catchThrowableOfType(RpcException.class, () -> lease(view(3)));
            assertThat(busy.message()).isEqualTo("all 2 file helpers are busy; see --max-helpers");
            assertThat(busy.data().orElseThrow().members())
                    .containsEntry("reason", "helpersBusy")
                    .containsEntry("limit", 2L);
            assertThat(one.helper().alive()).isTrue();
            assertThat(two.helper().alive()).isTrue();
        }
        assertThat(useOnce(view(3)).alive()).isTrue();
    }

    @Test
    void whoeverWaitsGetsThePlaceThatBecomesFree() throws Exception {
        HelperPool.Lease one = lease(view(1));
        try (HelperPool.Lease two = lease(view(2))) {
            CompletableFuture<HelperProcess> third = new CompletableFuture<>();
            Threads.virtual("asker", () -> {
                try {
                    third.complete(useOnce(view(3)));
                } catch (InterruptedException | RuntimeException e) {
                    third.completeExceptionally(e);
                }
            });
            one.close();
            assertThat(third.get().alive()).isTrue();
            assertThat(two.helper().alive()).isTrue();
        }
    }

    @Test
    void whatNobodyUsesEnds() throws InterruptedException {
        pool = pool(2, false, SHORT, LONG);
        HelperProcess idle = useOnce(view(1));
        await().until(() -> !idle.alive());
        assertThat(pool.size()).isZero();
        try (HelperPool.Lease used = lease(view(1))) {
            HelperProcess other = useOnce(view(2));
            await().until(() -> !other.alive());
            assertThat(used.helper().alive()).isTrue();
        }
    }

    @Test
    void aDeadHelperIsReplacedAndAFailedStartIsTriedAgain() throws InterruptedException {
        HelperProcess first = useOnce(view(1));
        first.close();
        HelperProcess second = useOnce(view(1));
        assertThat(second).isNotSameAs(first);
        assertThatThrownBy(() -> pool.lease(view(2), () -> {
                            throw RpcException.invalidRequest("no");
                        })
                        .helper())
                .isInstanceOf(RpcException.class);
        pool.close();
        assertThat(second.alive()).isFalse();
    }

    @Test
    void aHelperThatHangsFailsOnlyWhatWaitsForIt() throws Exception {
        HelperProcess good = useOnce(view(2));
        CountDownLatch told = new CountDownLatch(2);
        try (HelperPool.Lease hanging = lease(view(1))) {
            HelperProcess helper = hanging.helper();
            for (int i = 0; i < 2; i++) {
                Threads.virtual("asker", () -> {
                    assertThatThrownBy(() -> helper.run(
                                    FileRequest.read(
                                            FsMethodNames.READ_FILE, JsonSlice.of("{\"path\":\"/x\"}"), Dialect.OPEN),
                                    new AnswerMemory(new MemoryBudget(1 << 20, LONG))))
                            .isInstanceOf(HelperGoneException.class)
                            .hasMessage("it has not answered within 0.3 s");
                    told.countDown();
                });
            }
            told.await();
            assertThat(helper.alive()).isFalse();
        }
        assertThat(good.alive()).isTrue();
        assertThat(useOnce(view(1)).alive()).isTrue();
    }

    @Test
    void aHelperThatIsStartedAheadOfTimeIsTheOneThatIsUsed() throws InterruptedException {
        pool.prefetch(view(1), this::start);
        assertThat(children).hasSize(1);
        pool.prefetch(view(1), this::start);
        HelperProcess used = useOnce(view(1));
        assertThat(children).hasSize(1);
        assertThat(used.alive()).isTrue();
    }

    @Test
    void nobodyIsGivenUpForAHelperThatMayNeverBeUsed() throws InterruptedException {
        HelperProcess first = useOnce(view(1));
        HelperProcess second = useOnce(view(2));
        pool.prefetch(view(3), this::start);
        assertThat(children).hasSize(2);
        assertThat(first.alive() && second.alive()).isTrue();
    }

    @Test
    void inOneShotModeNoHelperServesTwoRequests() throws InterruptedException {
        pool = pool(2, true, LONG, SHORT);
        HelperProcess first = useOnce(view(1));
        assertThat(first.alive()).isFalse();
        pool.prefetch(view(1), this::start);
        assertThat(children).hasSize(2);
        try (HelperPool.Lease one = lease(view(1));
                HelperPool.Lease two = lease(view(1))) {
            assertThat(children).hasSize(3);
            assertThat(one.helper()).isNotSameAs(two.helper());
            assertThatThrownBy(() -> lease(view(1))).hasMessageContaining("all 2 file helpers are busy");
            pool.ownerEnded(session);
            assertThat(one.helper().alive()).isFalse();
        }
        assertThat(pool.size()).isZero();
    }

    @Test
    void itsEndWaitsForHelpersThatAreBeingEnded() throws InterruptedException {
        CountDownLatch gone = new CountDownLatch(1);
        pool.end(() -> awaitOf(gone));
        Thread closing = Threads.daemon("closing", pool::close);
        await().until(() -> closing.getState() == Thread.State.TIMED_WAITING);
        gone.countDown();
        closing.join();
    }

    @Test
    void itsEndWaitsForAHelperThatIsBeingStartedAndEndsIt() throws InterruptedException {
        CountDownLatch go = new CountDownLatch(1);
        CompletableFuture<HelperProcess> started = new CompletableFuture<>();
        Threads.virtual(
                "prefetch",
                () -> pool.prefetch(view(1), () -> {
                    awaitOf(go);
                    HelperProcess helper = start();
                    started.complete(helper);
                    return helper;
                }));
        await().until(() -> pool.size() == 1);
        Thread closing = Threads.daemon("closing", pool::close);
        await().until(() -> closing.getState() == Thread.State.TIMED_WAITING);
        go.countDown();
        closing.join();
        assertThat(started.join().alive()).isFalse();
    }

    private static void awaitOf(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
