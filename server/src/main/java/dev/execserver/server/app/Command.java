package dev.execserver.server.app;

import dev.execserver.protocol.app.CommandSize;
import dev.execserver.protocol.process.TerminalSize;
import dev.execserver.protocol.rpc.RpcException;
import dev.execserver.server.process.ManagedProcess;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/**
 * One command of a connection, from the reservation of its id to its answer.
 *
 * <p>The reader thread queues input and owns {@code inputClosed}; request threads call everything else.
 */
final class Command {

    /** Ends the typed line, if there is one, and then the input: see VEOF in termios(3). */
    private static final byte[] END_OF_TYPED_INPUT = "\n\u0004".getBytes(StandardCharsets.US_ASCII);

    /** Room in the queue that the end of the input needs. */
    static final int END_BYTES = END_OF_TYPED_INPUT.length;

    private final CommandSpec spec;
    private final ManagedProcess process;
    private volatile boolean terminated;
    private boolean inputClosed;

    Command(CommandSpec spec, ManagedProcess process) {
        this.spec = spec;
        this.process = process;
    }

    CommandSpec spec() {
        return spec;
    }

    ManagedProcess process() {
        return process;
    }

    /** Returns true if the client has asked for its end. */
    boolean terminated() {
        return terminated;
    }

    /**
     * Queues input without waiting. Reader thread only.
     *
     * @param bytes empty for none
     * @throws RpcException -32600 if the input is closed or not streamed, or too much is queued
     */
    void write(Optional<byte[]> bytes, boolean close) {
        if (!spec.streamStdin()) {
            throw spec.words().noStdin();
        }
        if (inputClosed && bytes.isPresent()) {
            throw spec.words().stdinClosed();
        }
        // The status is of no interest: input for a program that has closed its end is dropped, as by a pipe.
        bytes.ifPresent(this::queue);
        if (close && !inputClosed) {
            inputClosed = true;
            closeInput();
        }
    }

    private void closeInput() {
        if (spec.tty()) {
            queue(END_OF_TYPED_INPUT);
        } else {
            process.closeStdin();
        }
    }

    private void queue(byte[] bytes) {
        try {
            process.write(bytes, Optional.empty());
        } catch (RpcException e) {
            throw CommandErrors.reason(e, "stdinFull") ? spec.words().stdinFull() : e;
        }
    }

    /** Sets the size of its terminal. Waits until it has started. */
    void resize(String id, CommandSize size) throws InterruptedException {
        if (!spec.tty()) {
            throw spec.words().noTerminal();
        }
        if (!process.awaitStarted()) {
            throw spec.words().ended(id);
        }
        try {
            process.resize(new TerminalSize(size.cols(), size.rows()));
        } catch (RpcException closed) {
            throw spec.words().ended(id);
        }
    }

    /** Kills all its processes after SIGTERM and a grace, or cancels its start. */
    void terminate(long graceMs) {
        terminated = true;
        boolean _ = process.end().terminate(graceMs); // false: it has just ended
    }
}
