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
 * What one request to a helper waits for. The request's thread waits; the reader of the helper fills it in. The memory of
 * the answer belongs to the reader while the request waits.
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

    /** The open file of the answer; false when none is wanted, or a second one comes. */
    boolean take(Fd descriptor) {
        if (!wantsFile || file != null) {
            return false;
        }
        file = descriptor;
        return true;
    }

    /** @throws IOException when the helper has sent no JSON: then nothing that it says can be believed */
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

    /** The request fails although the helper has answered it. */
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
     * @throws HelperGoneException when there will be no answer
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

    /** The file that came with the result. */
    RegularFile file() {
        Fd descriptor = file;
        if (descriptor == null) {
            throw RpcException.internal("the file helper has sent no file");
        }
        return RegularFile.received(descriptor);
    }

    /** Nobody wants the file any more. */
    void dropFile() {
        Optional.ofNullable(file).ifPresent(Fd::close);
    }
}
