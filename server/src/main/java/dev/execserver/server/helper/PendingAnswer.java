package dev.execserver.server.helper;

import dev.execserver.helper.fs.RegularFile;
import dev.execserver.helper.wire.Frames;
import dev.execserver.protocol.rpc.JsonSlice;
import dev.execserver.protocol.rpc.MalformedMessageException;
import dev.execserver.protocol.rpc.RpcException;
import dev.execserver.sandbox.linux.Fd;
import dev.execserver.server.memory.AnswerMemory;
import java.io.IOException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * The pending answer of one request to a helper. The request's thread waits; the thread that reads from the helper
 * fills it in and may use the answer's memory meanwhile.
 */
final class PendingAnswer {

    private final CompletableFuture<JsonSlice> value = new CompletableFuture<>();
    private final AnswerMemory memory;
    private final boolean wantsFile;
    private volatile Fd file;

    PendingAnswer(AnswerMemory memory, boolean wantsFile) {
        this.memory = memory;
        this.wantsFile = wantsFile;
    }

    AnswerMemory memory() {
        return memory;
    }

    /** Takes the open file of the answer. Returns false if none is wanted or it is the second one. */
    boolean take(Fd descriptor) {
        if (!wantsFile || file != null) {
            return false;
        }
        file = descriptor;
        return true;
    }

    /** @throws IOException if the helper has sent invalid JSON; none of its answers can be trusted then */
    void complete(Frames.Kind kind, byte[] json) throws IOException {
        JsonSlice slice;
        try {
            slice = JsonSlice.parse(json, 0, json.length);
        } catch (MalformedMessageException e) {
            fail("its answer is no JSON");
            throw new IOException("an answer that is no JSON", e);
        }
        switch (kind) {
            case RESULT -> value.complete(slice);
            case ERROR -> value.completeExceptionally(error(slice));
        }
    }

    private static Exception error(JsonSlice object) {
        try {
            return RpcException.read(object);
        } catch (RpcException e) {
            return new HelperGoneException("its error cannot be read: " + e.message());
        }
    }

    /** Fails the request, although the helper has answered it. */
    void refuse(RpcException why) {
        value.completeExceptionally(why);
    }

    void fail(String why) {
        value.completeExceptionally(new HelperGoneException(why));
    }

    /**
     * Waits for the result.
     *
     * @throws RpcException the helper's refusal
     * @throws HelperGoneException if there will be no answer
     */
    JsonSlice await(Duration limit) throws HelperGoneException, InterruptedException {
        try {
            return value.get(limit.toNanos(), TimeUnit.NANOSECONDS);
        } catch (TimeoutException e) {
            throw new HelperGoneException("it has not answered within " + limit.toMillis() / 1000.0 + " s");
        } catch (ExecutionException e) {
            switch (e.getCause()) {
                case RpcException refusal -> throw refusal;
                case HelperGoneException gone -> throw gone;
                default -> throw new IllegalStateException(e.getCause());
            }
        }
    }

    /** Returns the file that came with the result. */
    RegularFile file() {
        Fd descriptor = file;
        if (descriptor == null) {
            throw RpcException.internal("the file helper has sent no file");
        }
        return RegularFile.received(descriptor);
    }

    /** Closes the file that came, because it is not needed. */
    void dropFile() {
        Optional.ofNullable(file).ifPresent(Fd::close);
    }
}
