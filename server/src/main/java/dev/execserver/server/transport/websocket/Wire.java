package dev.execserver.server.transport.websocket;

import dev.execserver.server.transport.codec.ByteSink;
import dev.execserver.server.transport.codec.ByteSource;
import java.util.OptionalLong;

/** The bytes of one upgraded connection. One thread reads, one writes, any may abort. */
interface Wire extends ByteSource, ByteSink {
    /** As {@link dev.execserver.server.transport.Transport#unacknowledgedBytes}. */
    OptionalLong unacknowledgedBytes();

    /**
     * Drops the connection at once: no goodbye, never blocks, wakes a blocked reader and a blocked writer.
     *
     * @param discard give up what the kernel has not delivered yet, for a peer that is known to be gone
     */
    void abort(boolean discard);
}
