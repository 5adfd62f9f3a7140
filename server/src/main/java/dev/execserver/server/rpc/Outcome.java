package dev.execserver.server.rpc;

import dev.execserver.protocol.rpc.MessageBuffer;
import dev.execserver.protocol.rpc.MessageEncoder;
import dev.execserver.protocol.rpc.Request;
import dev.execserver.protocol.rpc.RequestId;
import dev.execserver.protocol.rpc.RpcException;
import dev.execserver.server.memory.AnswerMemory;
import dev.execserver.server.memory.DescriptorBudget;
import dev.execserver.server.transport.Transport;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The result of a request, encoded: an answer or an error. Made on the thread that runs the request.
 *
 * @param message the encoded answer
 * @param afterwards runs once the message is queued
 * @param error the error that the message contains; empty for an answer
 */
public record Outcome(MessageBuffer message, Runnable afterwards, Optional<RpcException> error) {

    private static final Logger LOG = LoggerFactory.getLogger(Outcome.class);

    private static final Runnable NOTHING = () -> {};

    /** Work that makes an outcome and may fail. */
    @FunctionalInterface
    interface Attempt {
        Outcome run() throws InterruptedException;
    }

    static Outcome refusal(RequestId id, RpcException e, AnswerMemory memory) {
        return new Outcome(error(id, e, memory), NOTHING, Optional.of(e));
    }

    static Outcome encoded(AcceptedCall call, Answer answer) {
        return new Outcome(
                encode(call.request().id(), answer, call.prepared().warnings(), call.memory()),
                answer.afterwards(),
                Optional.empty());
    }

    static Outcome attempt(AcceptedCall call, Attempt attempt) {
        AnswerMemory memory = call.memory();
        try {
            return attempt.run();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            memory.setWaiting(true);
            return failure(call, RpcException.internal("interrupted"));
        } catch (RuntimeException | StackOverflowError | LinkageError | OutOfMemoryError e) {
            // OutOfMemoryError here means that a thread could not be started; a full heap ends the server.
            memory.setWaiting(true); // was false while a file worker ran the request
            return failure(call, e);
        }
    }

    /** Returns the error answer of a failed request. Waits for memory if {@code memory} allows it. */
    static Outcome failure(AcceptedCall call, Throwable e) {
        RpcException error = e instanceof RpcException told ? told : unexpected(call.request(), e);
        RpcException named =
                Warnings.in(DescriptorBudget.named(error), call.prepared().warnings());
        return refusal(call.request().id(), named, call.memory());
    }

    /**
     * Encodes the answer.
     *
     * @throws RpcException -32600 when the message would exceed the limit of the transport
     */
    static MessageBuffer encode(RequestId id, Answer answer, List<String> warnings, AnswerMemory memory) {
        MessageBuffer out = new MessageBuffer(memory);
        boolean sendable = false;
        try {
            MessageEncoder.response(out, id, answer.result(), warnings);
            if (out.length() > Transport.MAX_MESSAGE_BYTES) {
                throw RpcException.invalidRequest("the answer has " + out.length() + " bytes, more than the limit of "
                        + Transport.MAX_MESSAGE_BYTES + " for one message");
            }
            sendable = true;
            return out;
        } finally {
            if (!sendable) {
                out.reset();
            }
        }
    }

    /**
     * Encodes an error. Errors count against the memory like answers, because they repeat the id and often a name or a
     * path.
     */
    private static MessageBuffer error(RequestId id, RpcException e, AnswerMemory memory) {
        memory.release();
        MessageBuffer out = new MessageBuffer(memory);
        MessageEncoder.error(out, id, e);
        return out;
    }

    static RpcException unexpected(Request request, Throwable e) {
        LOG.error("{} failed", request.method(), e);
        return RpcException.internal("internal error in " + request.method() + ": " + e, e);
    }
}
