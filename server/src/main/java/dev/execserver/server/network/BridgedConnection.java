package dev.execserver.server.network;

import dev.execserver.sandbox.spawn.AsyncFd;
import dev.execserver.sandbox.spawn.AsyncStreams;
import dev.execserver.sandbox.spawn.Buffers;
import java.io.InputStream;
import java.io.OutputStream;

/**
 * One TCP connection from inside a sandbox. One thread reads and one writes, virtual threads park; any thread closes.
 * Nothing is buffered here: what is written is in the kernel when {@code write} returns.
 */
public final class BridgedConnection implements AutoCloseable {
    private final AsyncFd socket;
    private final AsyncStreams streams;

    BridgedConnection(AsyncFd socket, Buffers buffers) {
        this.socket = socket;
        this.streams = new AsyncStreams(socket, buffers);
    }

    /** What the command sends. Closing it does nothing. */
    public InputStream input() {
        return streams.input();
    }

    /** What the command receives. Closing it is {@link #shutdownOutput}. */
    public OutputStream output() {
        return streams.output();
    }

    /** Says that nothing more will be written; what the command sends can still be read. */
    public void shutdownOutput() {
        streams.shutdownOutput();
    }

    AsyncFd socket() {
        return socket;
    }

    @Override
    public void close() {
        socket.close();
    }
}
