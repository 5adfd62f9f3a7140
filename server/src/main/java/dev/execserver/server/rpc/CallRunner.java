package dev.execserver.server.rpc;

import dev.execserver.protocol.rpc.RequestId;
import dev.execserver.protocol.rpc.RpcException;
import dev.execserver.server.concurrent.FileClient;
import dev.execserver.server.concurrent.FileWorkers;
import dev.execserver.server.concurrent.Threads;
import dev.execserver.server.memory.AnswerMemory;
import dev.execserver.server.rights.Caller;
import dev.execserver.server.tracing.Traced;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.function.BiConsumer;
import java.util.function.LongConsumer;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs accepted requests and sends their answers. A request whose answer needs no waiting runs on the connection's
 * reader thread, every other one on a virtual thread of its own. Has no state of its own.
 */
final class CallRunner {

    private static final Logger LOG = LoggerFactory.getLogger(CallRunner.class);

    /** Messages of at least this size are reported when they are no longer needed. */
    private static final int LARGE_BYTES = 4 << 20;

    private final FileWorkers workers;
    private final LongConsumer largeMessages;
    private final BiConsumer<String, Runnable> threads;

    /** @param largeMessages receives the size in bytes of each large message that is no longer needed */
    CallRunner(FileWorkers workers, LongConsumer largeMessages) {
        this(workers, largeMessages, Threads::virtual);
    }

    /** @param threads starts a thread with the given name */
    CallRunner(FileWorkers workers, LongConsumer largeMessages, BiConsumer<String, Runnable> threads) {
        this.workers = workers;
        this.largeMessages = largeMessages;
        this.threads = threads;
    }

    /**
     * Runs the call on a new virtual thread; file calls wait in a line until they get theirs. Drops the connection if no thread can
     * be started.
     */
    void start(AcceptedCall call) {
        Optional<CallLine> line = switch (call.work()) {
            case Method.FileWork files -> Optional.of(call.connection().fileLine(files.lengthy()));
            case Method.Deciding deciding -> Optional.of(call.connection().fileLine(deciding.lengthy()));
            default -> Optional.empty();
        };
        if (line.isPresent()) {
            line.get().enter(() -> startThread(call, line.get()::ended));
        } else {
            boolean _ = startThread(call, () -> {});
        }
    }

    /** Returns false if no thread could be started; the call is given up then. */
    private boolean startThread(AcceptedCall call, Runnable afterwards) {
        try {
            threads.accept("request", () -> {
                try {
                    FileClient.onBehalfOf(
                            call.connection().fileCalls(),
                            () -> Caller.run(
                                    call.connection().rights(), () -> Traced.run(call.span(), () -> run(call))));
                } finally {
                    afterwards.run();
                }
            });
            return true;
        } catch (RuntimeException | Error e) {
            giveUp(call, e);
            return false;
        }
    }

    /**
     * Sends an error on a new virtual thread, which may wait for memory. Drops the connection if no thread can be
     * started.
     */
    void startRefusal(Connection connection, RequestId id, RpcException e, AnswerMemory memory, Runnable ended) {
        try {
            threads.accept("refusal", () -> answer(connection, () -> Outcome.refusal(id, e, memory), memory, ended));
        } catch (RuntimeException | Error failure) {
            giveUp(connection, memory, ended, failure);
        }
    }

    /** Closes the connection of a call that cannot run, because the client would wait for its answer for ever. */
    void giveUp(AcceptedCall call, Throwable why) {
        giveUp(
                call.connection(),
                call.memory(),
                () -> {
                    call.log(Optional.of(RpcException.internal("not carried out: " + why)));
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

    /** Runs the call on the reader thread if it can be answered without waiting. Starts a thread for it otherwise. */
    void runAtOnce(AcceptedCall call) {
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

    private static Optional<Outcome> attemptAtOnce(AcceptedCall call) {
        try {
            return Caller.call(
                    call.connection().rights(),
                    () -> Traced.call(
                            call.span(), () -> call.work().runAtOnce().map(answer -> Outcome.encoded(call, answer))));
        } catch (AnswerMemory.ShortException e) {
            throw e;
        } catch (RuntimeException | StackOverflowError | LinkageError | OutOfMemoryError e) {
            return Optional.of(Outcome.failure(call, e));
        }
    }

    private void run(AcceptedCall call) {
        finish(call, () -> outcome(call));
    }

    private void finish(AcceptedCall call, Supplier<Outcome> making) {
        Supplier<Outcome> kept = () -> {
            try {
                Outcome outcome = making.get();
                call.log(outcome.error());
                return outcome;
            } catch (RpcException noMemory) {
                call.log(Optional.of(noMemory));
                throw noMemory;
            } finally {
                call.prepared().promise().close();
            }
        };
        answer(call.connection(), kept, call.memory(), () -> {
            call.ended().run();
            doneWith(call.heldBytes());
        });
    }

    private Outcome outcome(AcceptedCall call) {
        AnswerMemory memory = call.memory();
        return Outcome.attempt(call, () -> {
            Method.Work decided = call.work() instanceof Method.Deciding deciding
                    ? deciding.decision().make()
                    : call.work();
            return switch (decided) {
                case Method.FileWork files -> outcomeOfFiles(call, files);
                case Method.SmallWork small -> withMemory(memory, () -> Outcome.encoded(call, small.run()));
                default -> Outcome.encoded(call, decided.run());
            };
        });
    }

    /**
     * Encodes the answer on the thread that reads the file, because the file is read straight into the message. If the
     * answer memory is short, waits for it on the request's thread and does the work again.
     */
    private Outcome outcomeOfFiles(AcceptedCall call, Method.FileWork files) {
        return withMemory(call.memory(), () -> {
            Optional<Answer> cached = files.runAtOnce();
            if (cached.isPresent()) {
                return Outcome.encoded(call, cached.get());
            }
            Callable<Outcome> work = () -> Outcome.encoded(call, files.run());
            return files.lengthy() ? workers.callLong(work) : workers.callWhileWanted(work);
        });
    }

    /**
     * Makes an answer that may be made again. While the request waits for memory it holds nothing, neither a file worker nor what
     * was loaded for the answer: thousands may wait, and each would hold that much.
     */
    private static Outcome withMemory(AnswerMemory memory, Supplier<Outcome> making) {
        memory.setWaiting(false);
        while (true) {
            try {
                return making.get();
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
            answered = true; // from here on the outbound queue releases the memory
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

    /** Returns empty when there is no memory even for the error. */
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
