package dev.execserver.server.tracing;

import dev.execserver.protocol.rpc.TraceContext;
import java.util.Optional;

/** Makes spans and hands them to a collector. Any thread; never waits for the collector. */
public interface Tracing extends AutoCloseable {
    /** Tracing of a server that has no collector. */
    Tracing OFF = new Tracing() {
        @Override
        public Optional<Span> begin(String name, Optional<TraceContext> parent) {
            return Optional.empty();
        }

        @Override
        public void close() {}
    };

    /**
     * Begins a span for a request.
     *
     * @param parent where the client stands in its trace; empty for a new trace
     * @return empty if nothing is traced
     */
    Optional<Span> begin(String name, Optional<TraceContext> parent);

    /** Sends what is left, within a bounded time. */
    @Override
    void close();
}
