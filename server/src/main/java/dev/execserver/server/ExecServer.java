package dev.execserver.server;

import dev.execserver.server.config.ServerConfig;

/** Placeholder until the server is wired. */
public final class ExecServer implements AutoCloseable {
    private ExecServer() {}

    public static ExecServer start(ServerConfig config) {
        throw new UnsupportedOperationException(
                "the server is not wired yet: " + config.listen().url());
    }

    public String url() {
        throw new UnsupportedOperationException();
    }

    public void awaitStop() {
        throw new UnsupportedOperationException();
    }

    @Override
    public void close() {}
}
