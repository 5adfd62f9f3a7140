package dev.execserver.server.proxy;

import dev.execserver.sandbox.linux.LinuxException;
import dev.execserver.sandbox.linux.TcpCalls;
import dev.execserver.sandbox.spawn.AsyncFd;
import dev.execserver.sandbox.spawn.AsyncStreams;
import dev.execserver.sandbox.spawn.Buffers;
import dev.execserver.sandbox.spawn.ClosedException;
import dev.execserver.sandbox.spawn.SocketCopy;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.SocketException;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.LongConsumer;

/**
 * One TCP connection. One thread reads, one writes, virtual threads park; any thread closes, which ends both. What is written
 * is handed to the kernel before {@code write} returns.
 */
final class Wire implements AutoCloseable {

    private final AsyncFd socket;
    private final Buffers buffers;
    private final BooleanSupplier spare;
    private final Optional<String> peer;
    private final InputStream input;
    private final OutputStream output;

    /**
     * A connection.
     *
     * @param spare whether descriptors are left to make it faster
     * @param peer address and port, if it has any that mean something here
     */
    Wire(AsyncFd socket, Buffers buffers, BooleanSupplier spare, Optional<String> peer) {
        this.socket = socket;
        this.buffers = buffers;
        this.spare = spare;
        this.peer = peer;
        AsyncStreams streams = new AsyncStreams(socket, buffers);
        this.input = streams.input();
        this.output = streams.output();
    }

    InputStream input() {
        return input;
    }

    OutputStream output() {
        return output;
    }

    Optional<String> peer() {
        return peer;
    }

    /**
     * Carries over to another one what comes from now on, to its end, which is passed on.
     *
     * @param watcher told of the bytes of each step
     * @throws IOException when one of both is gone
     */
    void carryTo(Wire other, LongConsumer watcher) throws IOException {
        try {
            SocketCopy.copy(socket, other.socket, buffers, spare, watcher);
        } catch (LinuxException | ClosedException e) {
            throw new SocketException(e.getMessage(), e);
        }
    }

    /** Nothing more will be written; the other direction goes on. */
    void shutdownOutput() {
        try {
            boolean _ = socket.use(TcpCalls::shutdownWrite); // false: it has ended altogether
        } catch (ClosedException e) {
            // so has this
        }
    }

    @Override
    public void close() {
        socket.close();
    }
}
