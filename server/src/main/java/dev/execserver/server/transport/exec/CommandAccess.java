package dev.execserver.server.transport.exec;

import dev.execserver.protocol.app.CommandExecResult;
import dev.execserver.protocol.rpc.JsonSlice;
import dev.execserver.protocol.rpc.TraceContext;
import dev.execserver.server.memory.AnswerMemory;
import dev.execserver.server.transport.auth.Subject;
import dev.execserver.server.transport.origin.ClientAddress;
import java.util.Optional;
import java.util.function.BooleanSupplier;

/** Starts commands for HTTP requests. Any thread. */
public interface CommandAccess {

    /**
     * Command that a request asks for.
     *
     * @param params in the form of {@code command/exec}
     * @param streams true if output is sent as it comes
     * @param input true if input is written, until {@link Running#endInput}
     * @param subject owner that the token of the request names
     * @param client for logs
     * @param trace where the client stands in its trace
     */
    record Wanted(
            JsonSlice params,
            boolean streams,
            boolean input,
            Optional<Subject> subject,
            Optional<ClientAddress> client,
            Optional<TraceContext> trace) {}

    /** Receiver of output. */
    @FunctionalInterface
    interface Output {
        /**
         * Sends a piece of output. Returns when the next piece may follow.
         *
         * @param capReached true if output of the stream was dropped; nothing of it follows
         */
        void send(boolean stdout, byte[] bytes, boolean capReached);
    }

    /** A running command. Closed by the thread that waits for it; another thread writes input. */
    interface Running extends AutoCloseable {

        /**
         * Writes input. Waits for room.
         *
         * @param bytes not modified afterwards
         * @return false if nothing is read any more
         */
        boolean write(byte[] bytes) throws InterruptedException;

        void endInput() throws InterruptedException;

        /** Sends a signal to the group of the command, but SIGKILL to everything that it has started. */
        void signal(int number);

        /**
         * Sets the size of its terminal.
         *
         * @throws dev.execserver.protocol.rpc.RpcException if it has none
         */
        void resize(int columns, int rows) throws InterruptedException;

        /** Kills the command, because nobody wants its result any more. Any thread. */
        void abandon();

        /**
         * Waits for the end.
         *
         * @param gone asked now and then; true if nobody waits any more
         * @return empty if nobody waits any more
         */
        Optional<CommandExecResult> toEnd(Output output, AnswerMemory memory, BooleanSupplier gone)
                throws InterruptedException;

        /** Kills what is left of the command. */
        @Override
        void close();
    }

    /** Returns the memory that pays for one request and its answer. */
    AnswerMemory memory();

    /**
     * Starts a command.
     *
     * @throws CommandRefusal if it does not run; nothing of it is left
     */
    Running start(Wanted wanted);
}
