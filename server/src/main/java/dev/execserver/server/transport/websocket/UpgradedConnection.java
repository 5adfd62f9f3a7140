package dev.execserver.server.transport.websocket;

import dev.execserver.server.transport.codec.ByteSink;
import dev.execserver.server.transport.codec.ByteSource;
import java.util.OptionalLong;

/** Bytes of one upgraded connection. One thread reads, one writes, any thread may abort. */
interface UpgradedConnection extends ByteSource, ByteSink {
    /** Does the same as {@link dev.execserver.server.transport.Transport#unacknowledgedBytes}. */
    OptionalLong unacknowledgedBytes();

    /**
     * Drops the connection at once, without a closing message. Never blocks; wakes a blocked reader and a blocked
     * writer.
     *
     * @param discard true to give up bytes that the kernel has not delivered yet, for a peer that is known to be gone
     */
    void abort(boolean discard);
}
