package dev.execserver.server.helper;

import dev.execserver.helper.fs.FileCondition;
import dev.execserver.helper.fs.FileReplacement;
import dev.execserver.helper.fs.RegularFile;
import dev.execserver.helper.wire.CancelMethod;
import dev.execserver.helper.wire.Frames;
import dev.execserver.helper.wire.UploadMethods;
import dev.execserver.helper.wire.UploadNumber;
import dev.execserver.helper.wire.UploadParams;
import dev.execserver.helper.wire.UploadResult;
import dev.execserver.protocol.fs.FileRequest;
import dev.execserver.protocol.fs.FsMethodNames;
import dev.execserver.protocol.fs.OpenParams;
import dev.execserver.protocol.paths.PathUri;
import dev.execserver.protocol.rpc.DirectWritable;
import dev.execserver.protocol.rpc.JsonSlice;
import dev.execserver.protocol.rpc.JsonWritable;
import dev.execserver.protocol.rpc.MessageBuffer;
import dev.execserver.protocol.rpc.MessageEncoder;
import dev.execserver.protocol.rpc.RequestId;
import dev.execserver.sandbox.io.AsyncFd;
import dev.execserver.sandbox.io.Buffers;
import dev.execserver.sandbox.io.ClosedException;
import dev.execserver.sandbox.linux.DescriptorPassing;
import dev.execserver.sandbox.linux.DescriptorPassing.Received;
import dev.execserver.sandbox.linux.LinuxException;
import dev.execserver.server.concurrent.Disconnection;
import dev.execserver.server.concurrent.FileClient;
import dev.execserver.server.concurrent.Threads;
import dev.execserver.server.memory.AnswerMemory;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.ReentrantLock;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A running helper. Request threads send requests, one virtual thread reads the answers; {@code lock} serializes the
 * writing of requests. If the helper ends for any reason, all waiting requests fail.
 */
final class HelperProcess implements AutoCloseable {

    /** Longest wait for an answer. After it the request fails and the helper is ended. */
    static final Duration ANSWER_LIMIT = Duration.ofMinutes(10);

    private static final Logger LOG = LoggerFactory.getLogger(HelperProcess.class);

    private final ReentrantLock lock = new ReentrantLock();
    private final Map<Long, PendingAnswer> pending = new ConcurrentHashMap<>();
    private final AtomicLong numbers = new AtomicLong();
    private final Duration answerLimit;
    private final StartedHelper started;
    private final AsyncFd channel;
    private final Buffers buffers;
    /** The reason of its end; null while it lives. */
    private final AtomicReference<String> end = new AtomicReference<>();

    private HelperProcess(StartedHelper started, Buffers buffers, Duration answerLimit) {
        this.started = started;
        this.answerLimit = answerLimit;
        this.channel = started.child().stdout();
        this.buffers = buffers;
    }

    /** Takes over a started process with its channel. Logs its standard error. */
    static HelperProcess of(StartedHelper started, Buffers buffers) {
        return of(started, buffers, ANSWER_LIMIT);
    }

    /** Does the same as {@link #of(StartedHelper, Buffers)} with another limit for answers. */
    static HelperProcess of(StartedHelper started, Buffers buffers, Duration answerLimit) {
        HelperProcess helper = new HelperProcess(started, buffers, answerLimit);
        Threads.virtual("helper-answers", helper::readAll);
        Threads.virtual("helper-errors", () -> HelperErrors.log(started.child(), buffers));
        return helper;
    }

    boolean alive() {
        return end.get() == null;
    }

    /** The number of requests that wait for an answer. */
    int inFlight() {
        return pending.size();
    }

    /** Carries out a request in the sandbox. The result is the JSON that the helper wrote. */
    JsonWritable run(FileRequest request, AnswerMemory memory) throws HelperGoneException, InterruptedException {
        PendingAnswer answer = new PendingAnswer(memory, false);
        return relayed(ask(request.method(), (JsonWritable) request, answer));
    }

    /** Opens a file in the sandbox. The caller owns the open file. */
    RegularFile open(OpenParams params, AnswerMemory memory) throws HelperGoneException, InterruptedException {
        PendingAnswer answer = new PendingAnswer(memory, true);
        JsonSlice _ = ask(FsMethodNames.OPEN, params, answer);
        return answer.file();
    }

    /**
     * New content for a file, which the helper puts in place.
     *
     * @param file the open file to write to; the caller owns it
     */
    record Upload(long number, RegularFile file) {}

    /** Begins new content for a file in the sandbox. */
    Upload beginUpload(PathUri path, FileCondition condition, AnswerMemory memory)
            throws HelperGoneException, InterruptedException {
        PendingAnswer answer = new PendingAnswer(memory, true);
        long number = numbers.incrementAndGet();
        JsonSlice _ = ask(UploadMethods.BEGIN, new UploadParams(number, path, condition), answer);
        return new Upload(number, answer.file());
    }

    /** Puts the content in place and ends the upload. The caller still owns the file. */
    FileReplacement.Stored commit(Upload upload, AnswerMemory memory) throws HelperGoneException, InterruptedException {
        JsonSlice stored =
                ask(UploadMethods.COMMIT, new UploadNumber(upload.number()), new PendingAnswer(memory, false));
        return UploadResult.read(stored).stored();
    }

    /** Discards the content. The caller still owns the file. */
    boolean abort(Upload upload, AnswerMemory memory) throws HelperGoneException, InterruptedException {
        JsonSlice _ = ask(UploadMethods.ABORT, new UploadNumber(upload.number()), new PendingAnswer(memory, false));
        return true;
    }

    private JsonSlice ask(String method, JsonWritable params, PendingAnswer answer)
            throws HelperGoneException, InterruptedException {
        long number = numbers.incrementAndGet();
        MessageBuffer message = new MessageBuffer();
        MessageEncoder.request(message, RequestId.of(number), method, params);
        pending.put(number, answer);
        try {
            requireAlive(); // checked after the entry was added: a later end of the helper fails the entry
            send(message);
            Optional<Disconnection.Planned> abandoning =
                    FileClient.current().map(client -> client.departure().then(() -> abandon(number)));
            try {
                return answer.await(answerLimit);
            } finally {
                abandoning.ifPresent(Disconnection.Planned::close);
            }
        } catch (HelperGoneException e) {
            answer.dropFile();
            finish(e.getMessage());
            throw e;
        } finally {
            pending.remove(number);
        }
    }

    /** Tells the helper to stop work on a request whose client has gone. */
    private void abandon(long number) {
        MessageBuffer message = new MessageBuffer();
        MessageEncoder.request(message, RequestId.of(number), CancelMethod.NAME, JsonWritable.EMPTY_OBJECT);
        try {
            send(message);
        } catch (HelperGoneException e) {
            LOG.debug("a file helper that nobody waits for has ended: {}", e.getMessage());
        }
    }

    private void requireAlive() throws HelperGoneException {
        if (!alive()) {
            throw new HelperGoneException(end.get());
        }
    }

    private void send(MessageBuffer message) throws HelperGoneException {
        int start = message.offset() - Frames.LENGTH_BYTES;
        Frames.put(message.array(), start, Frames.LENGTH_BYTES, message.length());
        int length = Frames.LENGTH_BYTES + message.length();
        lock.lock();
        try (Buffers.Lease lease = buffers.borrow()) {
            MemorySegment buffer = lease.segment();
            for (int from = 0; from < length; ) {
                int count = (int) Math.min(buffer.byteSize(), length - from);
                MemorySegment.copy(message.array(), start + from, buffer, ValueLayout.JAVA_BYTE, 0, count);
                for (int done = 0; done < count; ) {
                    done += channel.write(buffer.asSlice(done, count - done));
                }
                from += count;
            }
        } catch (LinuxException | ClosedException e) {
            throw new HelperGoneException(endOr("it takes no more requests"));
        } finally {
            lock.unlock();
        }
    }

    private static DirectWritable relayed(JsonSlice value) {
        return new DirectWritable() {
            @Override
            public void writeDirect(MessageBuffer out) {
                out.expect(value.length() + AnswerAssembler.ENVELOPE_BYTES);
                value.writeDirect(out);
            }

            @Override
            public void writeTo(com.fasterxml.jackson.core.JsonGenerator g) throws IOException {
                DirectWritable.copy(this, g);
            }
        };
    }

    private void readAll() {
        AnswerAssembler answers = new AnswerAssembler(number -> Optional.ofNullable(pending.remove(number)));
        String why = "it has ended";
        try {
            while (readSome(answers)) {
                // until its end
            }
        } catch (IOException e) {
            why = "it has said what no helper says (" + e.getMessage() + ")";
            LOG.warn("a file helper was ended: {}", e.getMessage());
        } catch (LinuxException | ClosedException e) {
            why = endOr(e.getMessage());
        } catch (RuntimeException e) {
            why = e.getMessage();
        }
        answers.fail(why);
        finish(why);
    }

    private boolean readSome(AnswerAssembler answers) throws IOException {
        channel.awaitReadable();
        try (Buffers.Lease lease = buffers.borrow()) {
            Received received = channel.use(fd -> DescriptorPassing.receive(fd, lease.segment()));
            if (received.count() > 0) {
                answers.accept(lease.segment().asSlice(0, received.count()), received.descriptor());
            }
            return received.count() != 0;
        }
    }

    /**
     * Ends the process with everything in its sandbox, and fails all waiting requests. Only the first reason counts.
     */
    void finish(String why) {
        if (end.compareAndSet(null, why)) {
            pending.forEach((number, answer) -> answer.fail(why));
            started.end();
        }
    }

    private String endOr(String otherwise) {
        return Optional.ofNullable(end.get()).orElse(otherwise);
    }

    @Override
    public void close() {
        finish("it was not needed any more");
    }
}
