package dev.execserver.server.transport;

import dev.execserver.protocol.rpc.TraceContext;
import io.helidon.http.HeaderName;
import io.helidon.http.HeaderNames;
import io.helidon.http.Headers;
import java.util.Optional;

/** Reads the header {@code traceparent} of W3C Trace Context. Stateless. */
public final class TraceHeader {
    private static final HeaderName TRACE_PARENT = HeaderNames.create("traceparent");

    private TraceHeader() {}

    /** Returns where the sender of a request stands in its trace; empty if that is not said in a valid way. */
    public static Optional<TraceContext> of(Headers headers) {
        return headers.contains(TRACE_PARENT)
                ? TraceContext.parse(headers.get(TRACE_PARENT).get().strip())
                : Optional.empty();
    }
}
