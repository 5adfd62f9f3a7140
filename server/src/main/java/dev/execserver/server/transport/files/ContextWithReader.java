package dev.execserver.server.transport.files;

import io.helidon.common.buffers.DataReader;
import io.helidon.webserver.ConnectionContext;

/** Helidon's context of a connection, with our own reader in it. */
final class ContextWithReader extends ForwardedContext {
    private final RequestReader reader;

    ContextWithReader(ConnectionContext context, RequestReader reader) {
        super(context);
        this.reader = reader;
    }

    RequestReader reader() {
        return reader;
    }

    @Override
    public DataReader dataReader() {
        return reader;
    }
}
