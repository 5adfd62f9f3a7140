package dev.execserver.server.transport.grpc;

import dev.execserver.server.concurrent.Timers;
import dev.execserver.server.memory.AnswerMemory;
import dev.execserver.server.transport.auth.Subject;
import io.helidon.common.buffers.BufferData;
import io.helidon.common.socket.PeerInfo;
import io.helidon.http.HeaderName;
import io.helidon.http.HeaderNames;
import io.helidon.http.HeaderValues;
import io.helidon.http.Status;
import io.helidon.http.WritableHeaders;
import io.helidon.http.http2.Http2FrameHeader;
import io.helidon.http.http2.Http2FrameTypes;
import io.helidon.http.http2.Http2Headers;
import io.helidon.http.http2.Http2RstStream;
import io.helidon.http.http2.Http2StreamState;
import io.helidon.http.http2.Http2WindowUpdate;
import io.helidon.webserver.http2.spi.Http2SubProtocolSelector.SubProtocolHandler;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One call. Its stream's thread reads the message and carries the method out; the connection's thread and a timer end it early.
 *
 * <p>{@code guard} guards the end, the work that waits for it, and who gives back what the call holds: its thread, or whoever ends it while
 * that thread is not at work. What the client still sends after the answer is read and dropped.
 */
final class GrpcCall implements SubProtocolHandler, GrpcExchange {
    private static final HeaderName TIMEOUT = HeaderNames.create("grpc-timeout");
    private static final HeaderName STATUS = HeaderNames.create("grpc-status");
    private static final HeaderName MESSAGE = HeaderNames.create("grpc-message");

    private static final Logger LOG = LoggerFactory.getLogger(GrpcCall.class);

    private final Lock guard = new ReentrantLock();
    private final GrpcServer server;
    private final PeerInfo peer;
    private final Http2Headers headers;
    private final StreamOutput output;
    private final AnswerMemory memory;
    private final MessageReader reader;
    private final List<Runnable> waiting = new ArrayList<>();
    private final Runnable ended;
    private Optional<Timers.Planned> deadline = Optional.empty();
    private Optional<Subject> subject = Optional.empty();
    private Optional<GrpcMethod> method = Optional.empty();
    private volatile Thread running;
    private boolean headersSent;
    private boolean admitted;
    /** True while the thread of the stream is at work, also before it begins. */
    private boolean busy = true;

    private boolean finished;
    private volatile GrpcCode end = GrpcCode.OK;
    private volatile Http2StreamState state;

    /** @param ended runs when the thread of the stream has ended or will end */
    GrpcCall(
            GrpcServer server,
            PeerInfo peer,
            Http2Headers headers,
            Http2StreamState state,
            Outputs output,
            Runnable ended) {
        this.server = server;
        this.peer = peer;
        this.headers = headers;
        this.state = state;
        this.ended = ended;
        this.output = output.of(this::over);
        this.memory = new AnswerMemory(server.received());
        this.reader = new MessageReader(memory);
    }

    /** Makes the output of a call. */
    @FunctionalInterface
    interface Outputs {
        StreamOutput of(BooleanSupplier over);
    }

    @Override
    public void init() {
        running = Thread.currentThread();
        try {
            subject = server.admission().admit(peer, headers.httpHeaders(), headers.authority(), headers.path());
            admitted = true;
            method = Optional.ofNullable(server.methods().get(headers.path()));
            if (method.isEmpty()) {
                throw new GrpcException(GrpcCode.UNIMPLEMENTED, "there is no method " + headers.path());
            }
            planDeadline();
        } catch (GrpcException refusal) {
            answered(refusal.code(), refusal.getMessage());
        } finally {
            pause();
        }
    }

    private void planDeadline() {
        if (headers.httpHeaders().contains(TIMEOUT)) {
            String text = headers.httpHeaders().get(TIMEOUT).get();
            deadline = Optional.of(server.timers()
                    .after(
                            GrpcTimeout.parse(text)
                                    .orElseThrow(() -> new GrpcException(
                                            GrpcCode.INVALID_ARGUMENT, "grpc-timeout `" + text + "` cannot be read")),
                            "grpc-deadline",
                            this::deadlinePassed));
        }
    }

    private void deadlinePassed() {
        endEarly(GrpcCode.DEADLINE_EXCEEDED);
        finishUnlessBusy(); // the client, whose message is not here yet, knows its deadline itself
    }

    @Override
    public Http2StreamState streamState() {
        return state;
    }

    @Override
    public void rstStream(Http2RstStream reset) {
        state = Http2StreamState.CLOSED;
        endEarly(GrpcCode.CANCELLED);
        finishUnlessBusy();
    }

    @Override
    public void windowUpdate(Http2WindowUpdate update) {
        // Helidon counts it
    }

    @Override
    public void data(Http2FrameHeader header, BufferData data) {
        if (!begin()) {
            return; // it was broken off
        }
        try {
            boolean last = header.flags(Http2FrameTypes.DATA).endOfStream();
            if (state == Http2StreamState.OPEN || state == Http2StreamState.HALF_CLOSED_REMOTE) {
                receive(data, last);
            }
            if (last) {
                state = Http2StreamState.CLOSED;
            }
        } finally {
            pause();
        }
    }

    private boolean begin() {
        guard.lock();
        try {
            busy = !finished || state == Http2StreamState.HALF_CLOSED_LOCAL; // the end of what the client sends
            return busy;
        } finally {
            guard.unlock();
        }
    }

    /** Ends the work on a piece. What has ended it meanwhile has left the rest to this thread. */
    private void pause() {
        guard.lock();
        try {
            busy = false;
            if (state == Http2StreamState.CLOSED) {
                finish();
                ended.run();
            }
        } finally {
            guard.unlock();
        }
    }

    private void finishUnlessBusy() {
        guard.lock();
        try {
            if (!busy) {
                finish();
                ended.run();
            }
        } finally {
            guard.unlock();
        }
    }

    /** Gives back what the call holds. Does not wait. */
    private void finish() {
        guard.lock();
        try {
            if (finished) {
                return;
            }
            finished = true;
            deadline.ifPresent(Timers.Planned::cancel);
            memory.release();
            if (admitted) {
                server.admission().ended(peer);
            }
        } finally {
            guard.unlock();
        }
    }

    private void receive(BufferData data, boolean last) {
        try {
            Optional<byte[]> message = reader.take(data);
            if (message.isPresent()) {
                run(message.get());
                answered(GrpcCode.OK, "");
            } else if (last) {
                throw new GrpcException(GrpcCode.INVALID_ARGUMENT, "the call has ended before its message");
            }
        } catch (GrpcException refusal) {
            answered(refusal.code(), refusal.getMessage());
        } catch (AnswerMemory.ShortException e) {
            answered(GrpcCode.RESOURCE_EXHAUSTED, "the server has no memory left for this message; try again later");
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            answered(GrpcCode.UNAVAILABLE, "the server is shutting down");
        }
    }

    private void run(byte[] message) throws InterruptedException {
        if (over()) {
            return;
        }
        try {
            method.orElseThrow().answer(this, message);
        } catch (GrpcException | AnswerMemory.ShortException e) {
            throw e;
        } catch (RuntimeException e) {
            if (over()) {
                LOG.debug("{} has failed after its end", headers.path(), e);
                return;
            }
            LOG.error("{} failed", headers.path(), e);
            throw new GrpcException(GrpcCode.INTERNAL, "the server has failed; its log says why");
        }
    }

    @Override
    public Optional<Subject> subject() {
        return subject;
    }

    @Override
    public String client() {
        return peer.address().toString();
    }

    @Override
    public void send(byte[] message) {
        if (!headersSent && !over()) {
            headersSent = true;
            output.headers(Http2Headers.create(contentType()).status(Status.OK_200), false);
        }
        output.message(message);
        if (over()) {
            throw new GrpcException(end, "the call is over");
        }
    }

    private static WritableHeaders<?> contentType() {
        WritableHeaders<?> headers = WritableHeaders.create();
        headers.set(HeaderValues.create(HeaderNames.CONTENT_TYPE, "application/grpc"));
        return headers;
    }

    @Override
    public boolean over() {
        return end != GrpcCode.OK;
    }

    @Override
    public void whenOver(Runnable work) {
        guard.lock();
        try {
            if (!over()) {
                waiting.add(work);
                return;
            }
        } finally {
            guard.unlock();
        }
        work.run();
    }

    /** Ends the call although its method has not returned. Any thread; does not wait. */
    void endEarly(GrpcCode code) {
        List<Runnable> work;
        guard.lock();
        try {
            if (over()) {
                return;
            }
            end = code;
            work = List.copyOf(waiting);
            waiting.clear();
        } finally {
            guard.unlock();
        }
        work.forEach(Runnable::run);
        output.wake();
    }

    /** Ends the call because its connection has ended: nobody can be told anything, and nothing can be waited for. */
    void connectionLost() {
        state = Http2StreamState.CLOSED;
        endEarly(GrpcCode.CANCELLED);
        Thread thread = running;
        if (thread != null) {
            thread.interrupt();
        }
        finishUnlessBusy();
    }

    /** Sends the end of the answer. */
    private void answered(GrpcCode code, String text) {
        finish();
        if (state != Http2StreamState.CLOSED) {
            GrpcCode told = over() ? end : code;
            WritableHeaders<?> trailers = headersSent ? WritableHeaders.create() : contentType();
            trailers.set(HeaderValues.create(STATUS, told.number()));
            String words = over() ? "the deadline has passed" : text;
            if (!words.isEmpty()) {
                trailers.set(HeaderValues.create(MESSAGE, GrpcText.encode(words)));
            }
            Http2Headers last = Http2Headers.create(trailers);
            output.headers(headersSent ? last : last.status(Status.OK_200), true);
            state = Http2StreamState.HALF_CLOSED_LOCAL;
        }
    }
}
