package dev.execserver.server.network;

import dev.execserver.sandbox.spawn.AsyncFd;

/**
 * One TCP connection from inside a sandbox. One thread reads and one writes, virtual threads park; any thread closes.
 *
 * @param socket non-blocking
 */
public record BridgedConnection(AsyncFd socket) implements AutoCloseable {

    @Override
    public void close() {
        socket.close();
    }
}
