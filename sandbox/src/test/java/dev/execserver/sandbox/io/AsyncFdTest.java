package dev.execserver.sandbox.io;

import static dev.execserver.sandbox.spawn.ProcessFixture.inParallel;
import static dev.execserver.sandbox.spawn.ProcessFixture.join;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.execserver.sandbox.linux.Errno;
import dev.execserver.sandbox.linux.FileCalls;
import dev.execserver.sandbox.linux.LinuxException;
import dev.execserver.sandbox.linux.PipeCalls;
import dev.execserver.sandbox.spawn.Child;
import dev.execserver.sandbox.spawn.ProcessFixture;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.concurrent.FutureTask;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class AsyncFdTest {
    private static final MemorySegment BYTE = Arena.global().allocate(8);
    private static final long SECONDS = 1_000_000_000L;

    private static Poller poller;

    @BeforeAll
    static void open() {
        poller = new Poller();
    }

    @AfterAll
    static void close() {
        poller.close();
    }

    @Test
    void aTimedWaitEndsWithoutDataAndTheNextOneSeesTheData() {
        try (Ends ends = new Ends(poller)) {
            assertThat(ends.read.awaitReadable(1_000_000)).isFalse();
            assertThat(ends.read.tryRead(BYTE)).isEqualTo(-1);

            ends.write.write(BYTE);

            assertThat(ends.read.awaitReadable(20 * SECONDS)).isTrue();
            assertThat(ends.read.backlog()).isEqualTo(8);
            assertThat(ends.read.tryRead(BYTE)).isEqualTo(8);
        }
    }

    @Test
    void wakeEndsAWaitAndIsRememberedWhenNobodyWaits() throws InterruptedException {
        try (Ends ends = new Ends(poller)) {
            Thread waiting = parked(ends.read);
            ends.read.wake();
            assertThat(waiting.join(Duration.ofSeconds(20))).isTrue();

            ends.read.wake();
            ends.read.awaitReadable();
            assertThat(ends.read.awaitReadable(1)).isFalse();
        }
    }

    @Test
    void closeWakesReaderAndWriter() {
        Ends empty = new Ends(poller);
        Ends full = new Ends(poller);
        FutureTask<?> reading = start(() -> empty.read.read(BYTE));
        FutureTask<?> writing = start(() -> {
            while (true) {
                full.write.write(BYTE);
            }
        });
        await().until(() -> full.read.backlog() >= 60_000);

        empty.read.close();
        full.write.close();

        assertThatThrownBy(() -> join(reading)).hasRootCauseInstanceOf(ClosedException.class);
        assertThatThrownBy(() -> join(writing)).hasRootCauseInstanceOf(ClosedException.class);
        empty.read.awaitReadable();
        assertThatThrownBy(() -> empty.read.tryRead(BYTE)).isInstanceOf(ClosedException.class);
        empty.close();
        full.close();
    }

    @Test
    void anInterruptNeitherEndsNorSpinsAWaitAndIsKept() {
        try (Ends ends = new Ends(poller)) {
            FutureTask<Boolean> task = new FutureTask<>(() -> {
                ends.read.read(BYTE);
                return Thread.currentThread().isInterrupted();
            });
            Thread reader = Thread.ofVirtual().start(task);
            await().until(() -> reader.getState() == Thread.State.WAITING);
            reader.interrupt();
            await().until(() -> reader.getState() == Thread.State.WAITING);

            ends.write.write(BYTE);

            assertThat(join(task)).isTrue();
        }
    }

    @Test
    void aSecondReaderIsRefused() {
        try (Ends ends = new Ends(poller)) {
            parked(ends.read);

            assertThatThrownBy(() -> ends.read.awaitReadable()).isInstanceOf(IllegalStateException.class);
        }
    }

    @Test
    void anEmptyBufferIsRefused() {
        try (Ends ends = new Ends(poller)) {
            assertThatThrownBy(() -> ends.read.read(MemorySegment.NULL)).isInstanceOf(IllegalArgumentException.class);
        }
    }

    @Test
    void aWriterThatWaitsHearsThatTheReaderIsGone() {
        try (Ends ends = new Ends(poller)) {
            FutureTask<?> writing = start(() -> {
                while (true) {
                    ends.write.write(BYTE);
                }
            });
            await().until(() -> ends.read.backlog() >= 60_000);

            ends.read.close();

            assertThatThrownBy(() -> join(writing))
                    .hasRootCauseInstanceOf(LinuxException.class)
                    .hasMessageContaining("Broken pipe");
        }
    }

    @Test
    void writingToATerminalWithoutProgramEndsWithAnError() {
        try (ProcessFixture fixture = new ProcessFixture()) {
            PtyPair pair = fixture.ptys.open(24, 80);
            Child child = fixture.shellOnTerminal(pair, "exit 0");
            child.awaitExit();

            assertThatThrownBy(() -> {
                        while (true) {
                            ProcessFixture.write(pair.master(), "x".repeat(1000));
                        }
                    })
                    .isInstanceOfSatisfying(
                            LinuxException.class, e -> assertThat(e.errno()).isEqualTo(Errno.EIO));
            child.closeStreams();
        }
    }

    @Test
    void closingThePollerWakesEverybody() {
        Poller other = new Poller();
        Ends ends = new Ends(other);
        FutureTask<?> reading = start(() -> ends.read.read(BYTE));

        other.close();

        assertThatThrownBy(() -> join(reading)).hasRootCauseInstanceOf(ClosedException.class);
        await().until(ends.write::closed);
        assertThatThrownBy(() -> new Ends(other)).isInstanceOf(ClosedException.class);
    }

    /** Descriptor numbers are reused within microseconds here, so a fault shows as the value of another pipe. */
    @Test
    void b45_descriptorsClosedWhileInUseNeverReachAnotherPipe() {
        AtomicLong values = new AtomicLong();
        inParallel(8, () -> {
            for (int round = 0; round < 60; round++) {
                exchange(values.incrementAndGet());
            }
            return null;
        });
    }

    @SuppressWarnings("ThreadPriorityCheck") // any interleaving will do
    private static void exchange(long value) {
        Ends ends = new Ends(poller);
        FutureTask<?> reading = start(() -> readOnly(ends.read, value));
        FutureTask<?> writing = start(() -> writeForever(ends.write, value));
        int spins = ThreadLocalRandom.current().nextInt(20);
        for (int i = 0; i < spins; i++) {
            Thread.yield();
        }
        (spins % 2 == 0 ? ends.read : ends.write).close();
        join(writing);
        join(reading);
        ends.close();
    }

    private static Object readOnly(AsyncFd fd, long value) {
        try (Arena arena = Arena.ofShared()) {
            MemorySegment buffer = arena.allocate(4096, 8);
            int count;
            while ((count = fd.read(buffer)) > 0) {
                for (int at = 0; at + 8 <= count; at += 8) {
                    assertThat(buffer.get(JAVA_LONG, at)).isEqualTo(value);
                }
            }
        } catch (ClosedException e) {
            return "closed";
        }
        return "end";
    }

    private static Object writeForever(AsyncFd fd, long value) {
        try (Arena arena = Arena.ofShared()) {
            MemorySegment buffer = arena.allocate(1024, 8);
            for (int at = 0; at < 1024; at += 8) {
                buffer.set(JAVA_LONG, at, value);
            }
            while (true) {
                fd.write(buffer);
            }
        } catch (ClosedException e) {
            return "closed";
        } catch (LinuxException e) {
            assertThat(e.errno()).isEqualTo(Errno.EPIPE);
            return "broken";
        }
    }

    private static Thread parked(AsyncFd fd) {
        Thread waiting = Thread.ofVirtual().start(fd::awaitReadable);
        await().until(() -> waiting.getState() == Thread.State.WAITING);
        return waiting;
    }

    private static FutureTask<?> start(java.util.concurrent.Callable<?> body) {
        FutureTask<?> task = new FutureTask<>(body);
        Thread.ofVirtual().start(task);
        return task;
    }

    private static final class Ends implements AutoCloseable {
        final AsyncFd read;
        final AsyncFd write;

        Ends(Poller poller) {
            PipeCalls.Pipe pipe = PipeCalls.pipe();
            FileCalls.makeNonBlocking(pipe.readEnd().number());
            FileCalls.makeNonBlocking(pipe.writeEnd().number());
            try {
                read = AsyncFd.pipe(poller, pipe.readEnd());
                write = AsyncFd.pipe(poller, pipe.writeEnd());
            } catch (ClosedException e) {
                pipe.close();
                throw e;
            }
        }

        @Override
        public void close() {
            read.close();
            write.close();
        }
    }
}
