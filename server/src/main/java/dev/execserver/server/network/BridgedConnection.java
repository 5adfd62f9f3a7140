package dev.execserver.server.network;

import dev.execserver.sandbox.io.AsyncFd;

/**
 * One TCP connection from inside a sandbox. One virtual thread reads and one writes; both may park. Any thread may
 * close it.
 *
 * @param socket non-blocking
 */
public record BridgedConnection(AsyncFd socket) implements AutoCloseable {

    @Override
    public void close() {
        socket.close();
    }
}
