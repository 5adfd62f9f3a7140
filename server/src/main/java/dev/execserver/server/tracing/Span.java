package dev.execserver.server.tracing;

import dev.execserver.protocol.rpc.TraceContext;

/** A stretch of time in a trace. Any thread. */
public interface Span {
    /** Returns the ids of this span. */
    TraceContext context();

    /** Begins a span within this one. It may last longer. */
    Span child(String name);

    Span put(String attribute, String value);

    Span put(String attribute, long value);

    /** Marks the span as failed. */
    Span failed(String why);

    /** Ends the span. Later calls do nothing. */
    void end();
}
