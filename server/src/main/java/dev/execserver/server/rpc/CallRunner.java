package dev.execserver.server.rpc;

import dev.execserver.protocol.rpc.Request;
import dev.execserver.protocol.rpc.RequestId;
import dev.execserver.protocol.rpc.RpcException;
import dev.execserver.server.concurrent.FileClient;
import dev.execserver.server.concurrent.FileWorkers;
import dev.execserver.server.concurrent.Threads;
import dev.execserver.server.memory.AnswerMemory;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.function.BiConsumer;
import java.util.function.LongConsumer;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Carries out the requests that were taken, and answers them: each on a virtual thread of its own, but for what the reader
 * can answer without waiting. No state of its own.
 */
final class CallRunner {

    private static final Logger LOG = LoggerFactory.getLogger(CallRunner.class);

    /** Messages from this size on are reported when they are no longer needed. */
    private static final int LARGE_BYTES = 4 << 20;

    private final FileWorkers workers;
    private final LongConsumer largeMessages;
    private final BiConsumer<String, Runnable> threads;

    /** @param largeMessages is told the size of each large message that is no longer needed */
    CallRunner(FileWorkers workers, LongConsumer largeMessages) {
        this(workers, largeMessages, Threads::virtual);
    }

    /** @param threads starts a thread with this name */
    CallRunner(FileWorkers workers, LongConsumer largeMessages, BiConsumer<String, Runnable> threads) {
        this.workers = workers;
        this.largeMessages = largeMessages;
        this.threads = threads;
    }

    /** Carries it out on a thread of its own, or gives it up when there can be none. */
    void start(TakenCall call) {
        try {
            threads.accept(
                    "request", () -> FileClient.onBehalfOf(call.connection().fileCalls(), () -> run(call)));
        } catch (RuntimeException | Error e) {
            giveUp(call, e);
        }
    }

    /** Refuses a request on a thread of its own, where it can wait for memory; or gives it up when there can be none. */
    void startRefusal(Connection connection, RequestId id, RpcException e, AnswerMemory memory, Runnable ended) {
        try {
            threads.accept("refusal", () -> answer(connection, () -> Outcome.refusal(id, e, memory), memory, ended));
        } catch (RuntimeException | Error failure) {
            giveUp(connection, memory, ended, failure);
        }
    }

    /** Drops a call that cannot be carried out, together with its connection: a client must not wait for its answer. */
    void giveUp(TakenCall call, Throwable why) {
        giveUp(
                call.connection(),
                call.memory(),
                () -> {
                    call.prepared().promise().close();
                    call.ended().run();
                },
                why);
    }

    private static void giveUp(Connection connection, AnswerMemory memory, Runnable ended, Throwable why) {
        LOG.error("connection {} is dropped: a request of it cannot be carried out", connection.number(), why);
        try {
            connection.cannotAnswer(memory);
        } finally {
            ended.run();
        }
    }

    /** Answers on the thread of the connection's reader what can be answered without waiting, and starts the rest. */
    void runAtOnce(TakenCall call) {
        AnswerMemory memory = call.memory();
        memory.setWaiting(false);
        Optional<Outcome> made;
        try {
            made = attemptAtOnce(call);
        } catch (AnswerMemory.ShortException e) {
            memory.release();
            made = Optional.empty();
        } catch (RuntimeException | Error e) {
            giveUp(call, e);
            return;
        }
        memory.setWaiting(true);
        if (made.isPresent()) {
            finish(call, made::get);
        } else {
            start(call);
        }
    }

    private static Optional<Outcome> attemptAtOnce(TakenCall call) {
        Request request = call.request();
        AnswerMemory memory = call.memory();
        try {
            return call.work().runAtOnce().map(answer -> Outcome.encoded(request, answer, memory));
        } catch (AnswerMemory.ShortException e) {
            throw e;
        } catch (RuntimeException | StackOverflowError | LinkageError | OutOfMemoryError e) {
            return Optional.of(Outcome.failure(request, e, memory));
        }
    }

    private void run(TakenCall call) {
        finish(call, () -> outcome(call));
    }

    private void finish(TakenCall call, Supplier<Outcome> making) {
        Supplier<Outcome> kept = () -> {
            try {
                return making.get();
            } finally {
                call.prepared().promise().close();
            }
        };
        answer(call.connection(), kept, call.memory(), () -> {
            call.ended().run();
            doneWith(call.heldBytes());
        });
    }

    private Outcome outcome(TakenCall call) {
        Request request = call.request();
        AnswerMemory memory = call.memory();
        return Outcome.attempt(request, memory, () -> {
            Method.Work decided = call.work() instanceof Method.Deciding(var decision) ? decision.make() : call.work();
            return decided instanceof Method.FileWork files
                    ? outcomeOfFiles(request, files, memory)
                    : Outcome.encoded(request, decided.run(), memory);
        });
    }

    /** The answer is encoded where it is made: a file is read straight into the message, which may have to wait. */
    private Outcome outcomeOfFiles(Request request, Method.FileWork files, AnswerMemory memory) {
        Optional<Answer> cached = files.runAtOnce();
        if (cached.isPresent()) {
            return Outcome.encoded(request, cached.get(), memory);
        }
        memory.setWaiting(false); // not on a file worker; and answers that need much memory come of reading only
        while (true) {
            try {
                Callable<Outcome> work = () -> Outcome.encoded(request, files.run(), memory);
                return files.lengthy() ? workers.callLong(work) : workers.callWhileWanted(work);
            } catch (AnswerMemory.ShortException e) {
                memory.setWaiting(true);
                memory.beginAnew(e.bytes());
                memory.setWaiting(false);
            }
        }
    }

    private void answer(Connection connection, Supplier<Outcome> making, AnswerMemory memory, Runnable ended) {
        int bytes = 0;
        boolean answered = false;
        try {
            Optional<Outcome> outcome = made(making);
            if (outcome.isEmpty()) {
                return;
            }
            bytes = outcome.get().message().heapBytes();
            answered = true; // from here on the queue of the connection gives the memory back
            connection.answer(outcome.get().message(), memory);
            outcome.get().afterwards().run();
        } finally {
            if (!answered) {
                connection.cannotAnswer(memory);
            }
            ended.run();
            doneWith(bytes);
        }
    }

    /** Empty when there is no memory even for the error. */
    private static Optional<Outcome> made(Supplier<Outcome> making) {
        try {
            return Optional.of(making.get());
        } catch (RpcException full) {
            LOG.debug("an error cannot be answered: {}", full.message());
            return Optional.empty();
        }
    }

    private void doneWith(long messageBytes) {
        if (messageBytes >= LARGE_BYTES) {
            largeMessages.accept(messageBytes);
        }
    }
}
