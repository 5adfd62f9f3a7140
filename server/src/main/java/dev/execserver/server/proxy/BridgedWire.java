package dev.execserver.server.proxy;

import dev.execserver.sandbox.linux.LinuxException;
import dev.execserver.server.network.BridgedConnection;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.Optional;

/** A connection out of the network of a sandbox. */
record BridgedWire(BridgedConnection connection) implements Wire {

    @Override
    public InputStream input() {
        return connection.input();
    }

    @Override
    public OutputStream output() {
        return connection.output();
    }

    @Override
    public void shutdownOutput() throws IOException {
        try {
            connection.shutdownOutput();
        } catch (LinuxException e) {
            throw new IOException(e.getMessage(), e);
        }
    }

    @Override
    public Optional<String> peer() {
        return Optional.empty();
    }

    @Override
    public void close() {
        connection.close();
    }
}
