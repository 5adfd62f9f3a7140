package dev.execserver.server.rpc;

import dev.execserver.protocol.rpc.MessageBuffer;
import dev.execserver.protocol.rpc.MessageEncoder;
import dev.execserver.protocol.rpc.Request;
import dev.execserver.protocol.rpc.RequestId;
import dev.execserver.protocol.rpc.RpcException;
import dev.execserver.server.memory.AnswerMemory;
import dev.execserver.server.memory.DescriptorRoom;
import dev.execserver.server.transport.Transport;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What a request came to. Made on the threads of the request.
 *
 * @param message its answer
 * @param afterwards what follows once that is queued
 */
record Outcome(MessageBuffer message, Runnable afterwards) {

    private static final Logger LOG = LoggerFactory.getLogger(Outcome.class);

    private static final Runnable NOTHING = () -> {};

    /** What leads to an outcome and may fail on the way. */
    @FunctionalInterface
    interface Attempt {
        Outcome run() throws InterruptedException;
    }

    static Outcome refusal(RequestId id, RpcException e, AnswerMemory memory) {
        return new Outcome(error(id, e, memory), NOTHING);
    }

    static Outcome encoded(Request request, Answer answer, AnswerMemory memory) {
        return new Outcome(encode(request.id(), answer, memory), answer.afterwards());
    }

    static Outcome attempt(Request request, AnswerMemory memory, Attempt attempt) {
        try {
            return attempt.run();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            memory.setWaiting(true);
            return refusal(request.id(), RpcException.internal("interrupted"), memory);
        } catch (RuntimeException | StackOverflowError | LinkageError | OutOfMemoryError e) {
            // The last one is a thread that could not be started: a heap that is full ends the server.
            memory.setWaiting(true); // the failure came from a file worker, perhaps, which must not
            return failure(request, e, memory);
        }
    }

    /** What a request comes to that has failed; waits for memory, if it may. */
    static Outcome failure(Request request, Throwable e, AnswerMemory memory) {
        RpcException error = e instanceof RpcException told ? told : unexpected(request, e);
        return refusal(request.id(), DescriptorRoom.named(error), memory);
    }

    /**
     * The answer as a message.
     *
     * @throws RpcException when no client could take so large a one
     */
    static MessageBuffer encode(RequestId id, Answer answer, AnswerMemory memory) {
        MessageBuffer out = new MessageBuffer(memory);
        boolean sendable = false;
        try {
            MessageEncoder.response(out, id, answer.result());
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

    /** An error repeats the id, and often a name or a path, so it is counted as any answer. */
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
