package dev.execserver.server.proxy;

import dev.execserver.sandbox.io.AsyncFd;
import dev.execserver.sandbox.io.AsyncStreams;
import dev.execserver.sandbox.io.Buffers;
import dev.execserver.sandbox.io.ClosedException;
import dev.execserver.sandbox.io.SocketCopy;
import dev.execserver.sandbox.linux.LinuxException;
import dev.execserver.sandbox.linux.TcpCalls;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.SocketException;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.LongConsumer;

/**
 * One TCP connection. One thread reads and one writes; virtual threads park. Any thread may close it, which ends both.
 * Written bytes are in the kernel before {@code write} returns.
 */
final class TcpConnection implements AutoCloseable {

    private final AsyncFd socket;
    private final Buffers buffers;
    private final BooleanSupplier spare;
    private final Optional<String> peer;
    private final InputStream input;
    private final OutputStream output;

    /**
     * Wraps a connected socket.
     *
     * @param spare returns true if descriptors are left to speed up copying
     * @param peer address and port of the peer, unless they mean nothing on this machine
     */
    TcpConnection(AsyncFd socket, Buffers buffers, BooleanSupplier spare, Optional<String> peer) {
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
     * Copies all further input to another connection up to the end, and passes the end on.
     *
     * @param watcher receives the number of bytes of each step
     * @throws IOException if one of both connections is gone
     */
    void carryTo(TcpConnection other, LongConsumer watcher) throws IOException {
        try {
            SocketCopy.copy(socket, other.socket, buffers, spare, watcher);
        } catch (LinuxException | ClosedException e) {
            throw new SocketException(e.getMessage(), e);
        }
    }

    /** Ends the output. The other direction goes on. */
    void shutdownOutput() {
        try {
            boolean _ = socket.use(TcpCalls::shutdownWrite); // false: the connection has ended
        } catch (ClosedException e) {
            // the connection is closed, so its output has ended too
        }
    }

    @Override
    public void close() {
        socket.close();
    }
}
